import { bareHost, withoutRootDot } from '@trackside/contract/tracking/bare-host.ts';
import { createCachedReader } from '../../concurrency/bounded-cache.ts';
import { cleanPath } from './clean-path.ts';
import { mask, type QueryFacts } from './create-query-reader.ts';
import { cutText } from './cut-text.ts';

export type PageFacts = QueryFacts & {
  /** In lower case, with the port unless it is the scheme's default. */
  host: string;
  /** The host in the form that a referrer's host is compared with. */
  comparableHost: string;
  path: string;
};

const maxHostChars = 255;
const maxCachedUrlChars = 512;

/** Creates a reader for page URLs. Most records are about a few pages, so results are cached. */
export function createPageReader(options: {
  cacheEntries: number;
  readQuery: (search: string) => QueryFacts;
}): (pageUrl: string) => PageFacts {
  function read(pageUrl: string): PageFacts {
    const url = URL.parse(pageUrl);
    const hostname = withoutRootDot(url?.hostname ?? '');
    const port = url === null || url.port === '' ? '' : `:${url.port}`;
    return {
      ...options.readQuery(url?.search ?? ''),
      host: cutText(hostname, maxHostChars) + port,
      comparableHost: bareHost(hostname),
      path: cleanPath(url?.pathname ?? '', mask),
    };
  }

  return createCachedReader({ maxEntries: options.cacheEntries, maxChars: maxCachedUrlChars, read });
}
