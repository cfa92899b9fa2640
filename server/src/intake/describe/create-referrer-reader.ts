import { isIP } from 'node:net';
import { bareHost } from '@trackside/contract/tracking/bare-host.ts';
import { createCachedReader } from '../../concurrency/bounded-cache.ts';
import { cleanPath } from './clean-path.ts';
import { mask, type QueryFacts } from './create-query-reader.ts';
import type { SourceFinder } from './create-source-finder.ts';
import { cutEncoded, cutText } from './cut-text.ts';
import type { SourceKind } from './known-sources.ts';
import { looksPrivate } from './looks-private.ts';

const maxReferrerChars = 2048;
const maxHostChars = 255;
const maxCachedReferrerChars = 512;

/** Replaces a host that is an IP address, because it can be the visitor's own machine. */
export const addressHost = 'ip-address';

export type ReferrerFacts = {
  /** The cleaned URL. */
  referrer: string;
  /** Without `www.` and port. */
  host: string;
  /** The host as it came. It is only compared with the website's own host and never stored. */
  comparableHost: string;
  source: string;
  kind: SourceKind | undefined;
};

export function createReferrerReader(options: {
  cacheEntries: number;
  readQuery: (search: string) => QueryFacts;
  sources: SourceFinder;
}): (referrer: string) => ReferrerFacts | undefined {
  const { readQuery, sources } = options;

  function read(referrer: string): ReferrerFacts | undefined {
    const url = URL.parse(referrer);
    if (url === null || url.hostname === '') return undefined;
    const comparableHost = bareHost(url.hostname);
    const isAddress = isIP(comparableHost.replace(/^\[|\]$/g, '')) !== 0;
    const host = isAddress ? addressHost : cleanHost(comparableHost);
    const named = nameReferrer(url.protocol, host, sources);
    const { query } = readQuery(url.search);
    const port = url.port === '' ? '' : `:${url.port}`;
    const shownHost = host === comparableHost ? url.hostname : host;
    const address = `${url.protocol}//${shownHost}${port}${cleanPath(url.pathname, mask)}`;
    return {
      referrer: cutEncoded(query === '' ? address : `${address}?${query}`, maxReferrerChars),
      host,
      comparableHost,
      source: named.source,
      kind: named.kind,
    };
  }

  return createCachedReader({ maxEntries: options.cacheEntries, maxChars: maxCachedReferrerChars, read });
}

/** Returns the source that a referrer's host stands for, as it is stored: without `www.` and cleaned. */
export function nameReferrer(
  protocol: string,
  host: string,
  sources: SourceFinder,
): { source: string; kind: SourceKind | undefined } {
  if (host === addressHost) return { source: 'IP address', kind: undefined };
  const isApp = protocol === 'android-app:' || protocol === 'ios-app:';
  const known = isApp ? sources.byApp(host) : sources.byHost(host);
  return { source: known?.name ?? host, kind: known?.kind };
}

// Outside of http, the URL standard allows escapes in a host, which can hold an email address.
function cleanHost(host: string): string {
  return looksPrivate(host) ? mask : cutText(host, maxHostChars);
}
