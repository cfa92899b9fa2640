import type { ClientCase, Outcome } from '../../clients/test/load-cases.ts';
import { createTestTracker } from '../src/adapters/test-tracker.ts';
import { createHandler } from '../src/handler/create-handler.ts';
import { createPageCounter } from '../src/handler/create-page-counter.ts';
import type { HandlerOptions } from '../src/handler/handler-options.ts';
import { cloudflare, cloudfront, fromHeaders, netlify, vercel } from '../src/location/location.ts';
import type { LocationSource } from '../src/location/location-source.ts';
import type { Location } from '../src/record/metrics.ts';
import type { IncomingRecord } from '../src/request/incoming-request.ts';

type Settings = Omit<HandlerOptions, 'trackside' | 'location'> & { location?: LocationSetting[] };
/** The name of a source, or the headers of one. */
type LocationSetting = keyof typeof sources | Partial<Record<keyof Location, string>>;

const sources = { cloudflare, vercel, cloudfront, netlify };

/** Returns what the SDK makes of a case: the endpoint's status, and the record that it hands over. */
export async function runCase({ kind, settings, request, answer }: ClientCase): Promise<Outcome> {
  const { location = [], ...rest } = settings as Settings;
  const { trackside, records } = createTestTracker();
  const options = { ...rest, location: location.map(findSource), trackside, onError: () => {} };
  const incoming = makeIncoming(request);
  let status: number | null = null;
  if (kind === 'endpoint') {
    ({ status } = await createHandler(options).handle(incoming, undefined));
  } else {
    const counter = createPageCounter(options);
    const contentType = answer.contentType ?? undefined;
    if (counter.isCandidate(incoming)) counter.count(incoming, { ...answer, contentType }, undefined);
  }
  // The record is handed over once the callbacks have been asked.
  await new Promise(setImmediate);
  const [record] = records;
  if (record === undefined) return { status, record: null };
  const { metrics: Metrics } = record;
  if (record.kind === 'page-view') return { status, record: { path: '/api/page-view', body: { Metrics } } };
  const body = { Name: record.name, Parameters: record.parameters, Metrics };
  return { status, record: { path: '/api/event-view', body } };
}

function findSource(setting: LocationSetting): LocationSource {
  return typeof setting === 'string' ? sources[setting] : fromHeaders(setting);
}

const hostText = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** Makes the request as the adapter for Node would. */
function makeIncoming({
  method,
  scheme,
  target,
  peer,
  headers,
  body,
}: ClientCase['request']): IncomingRecord {
  const header = (name: string) => {
    const values = headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(', ');
  };
  const origin = `${scheme}://${header('host')}`;
  const isHost = hostText.test(header('host') ?? '') && URL.canParse(origin);
  return {
    method,
    url: new URL(`${isHost ? origin : `${scheme}://localhost`}${target}`),
    header,
    peer: peer ?? undefined,
    readText: async (maxBytes) => (Buffer.byteLength(body) > maxBytes ? undefined : body),
  };
}
