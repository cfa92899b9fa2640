import type { Location } from '../record/metrics.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';
import { completeLocation, isKnown } from './complete-location.ts';
import type { LocationSource } from './location-source.ts';
import { readBase64Text, readHeaderText } from './read-header-text.ts';

export type { ContinentCode, Location } from '../record/metrics.ts';
export type { IncomingRequest } from '../request/incoming-request.ts';
export { completeLocation } from './complete-location.ts';
export type { LocationSource } from './location-source.ts';

type HeaderNames = Partial<Record<keyof Location, string>>;

/**
 * Reads Cloudflare's headers. The country is always sent. For the rest, turn on the managed transform "Add
 * visitor location headers".
 */
export const cloudflare: LocationSource = (request) =>
  readHeaders(request, {
    ContinentCode: 'cf-ipcontinent',
    CountryCode: 'cf-ipcountry',
    City: 'cf-ipcity',
    PostalCode: 'cf-postal-code',
    Region: 'cf-region',
    RegionCode: 'cf-region-code',
    Timezone: 'cf-timezone',
  });

export const vercel: LocationSource = (request) =>
  readHeaders(request, {
    ContinentCode: 'x-vercel-ip-continent',
    CountryCode: 'x-vercel-ip-country',
    City: 'x-vercel-ip-city',
    PostalCode: 'x-vercel-ip-postal-code',
    RegionCode: 'x-vercel-ip-country-region',
    Timezone: 'x-vercel-ip-timezone',
  });

/** Reads CloudFront's headers. Needs an origin request policy that forwards the CloudFront-Viewer headers. */
export const cloudfront: LocationSource = (request) =>
  readHeaders(request, {
    CountryCode: 'cloudfront-viewer-country',
    City: 'cloudfront-viewer-city',
    PostalCode: 'cloudfront-viewer-postal-code',
    Region: 'cloudfront-viewer-country-region-name',
    RegionCode: 'cloudfront-viewer-country-region',
    Timezone: 'cloudfront-viewer-time-zone',
  });

/** Reads one header with everything, as JSON in base64. Some plans only have the country. */
export const netlify: LocationSource = (request) =>
  readNetlify(request) ?? readHeaders(request, { CountryCode: 'x-country' });

/** Reads headers of any other proxy: `fromHeaders({ CountryCode: 'x-geo-country', City: 'x-geo-city' })`. */
export function fromHeaders(names: HeaderNames): LocationSource {
  const lowerCase: HeaderNames = {};
  for (const [member, name] of Object.entries(names)) {
    if (!members.has(member)) {
      throw new Error(`fromHeaders: expected members of ${[...members].join(', ')}, got ${member}`);
    }
    if (name === undefined) continue;
    if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      const got = typeof name === 'string' ? `"${name}"` : typeof name;
      throw new Error(`fromHeaders: ${member}: expected a header name such as x-geo-country, got ${got}`);
    }
    lowerCase[member as keyof Location] = name.toLowerCase();
  }
  return (request) => readHeaders(request, lowerCase);
}

const members: ReadonlySet<string> = new Set<keyof Location>([
  'ContinentCode',
  'CountryCode',
  'City',
  'PostalCode',
  'Region',
  'RegionCode',
  'Timezone',
]);

function readHeaders(request: IncomingRequest, names: HeaderNames): Location | undefined {
  const found = Object.entries(names).map(([member, name]) => [member, readHeaderText(request.header(name))]);
  return known(Object.fromEntries(found));
}

function readNetlify(request: IncomingRequest): Location | undefined {
  const text = readBase64Text(request.header('x-nf-geo'));
  if (text === undefined) return undefined;
  try {
    const geo: NetlifyGeo | null = JSON.parse(text);
    return known({
      CountryCode: geo?.country?.code,
      City: geo?.city,
      PostalCode: geo?.postalCode ?? geo?.postal_code,
      Region: geo?.subdivision?.name,
      RegionCode: geo?.subdivision?.code,
      Timezone: geo?.timezone,
    });
  } catch {
    return undefined;
  }
}

/** The shape that Netlify sends. Every member may be anything. */
type NetlifyGeo = {
  city?: unknown;
  country?: { code?: unknown } | null;
  subdivision?: { code?: unknown; name?: unknown } | null;
  timezone?: unknown;
  postalCode?: unknown;
  postal_code?: unknown;
};

function known(found: { [member in keyof Location]?: unknown }): Location | undefined {
  const location = completeLocation(found as Location);
  return isKnown(location) ? location : undefined;
}
