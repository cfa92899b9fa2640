import { createCachedReader } from '../../concurrency/bounded-cache.ts';
import { cleanPath } from './clean-path.ts';
import { mask, type QueryFacts } from './create-query-reader.ts';
import { cutText } from './cut-text.ts';
import { bareHost, withoutRootDot } from './host-names.ts';

export type PageFacts = QueryFacts & {
  /** Lower case, with a port only where it is not the scheme's own. */
  host: string;
  /** As the host of a referrer is compared with it. */
  comparableHost: string;
  path: string;
};

const maxHostChars = 255;
const maxCachedUrlChars = 512;

/** Reads the address of a page. Most records are about few pages, so that what was read is remembered. */
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
