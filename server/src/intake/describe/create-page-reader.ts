import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import { cleanPath } from './clean-path.ts';
import { mask, type QueryFacts } from './create-query-reader.ts';
import { cutText } from './cut-text.ts';
import { withoutRootDot } from './host-names.ts';

export type PageFacts = QueryFacts & {
  /** Lower case, with a port only where it is not the scheme's own. */
  host: string;
  hostname: string;
  path: string;
};

const maxHostChars = 255;
const maxCachedUrlChars = 512;

/** Reads the address of a page. Most records are about few pages, so that what was read is remembered. */
export function createPageReader(options: {
  cacheEntries: number;
  readQuery: (search: string) => QueryFacts;
}): (pageUrl: string) => PageFacts {
  const cache = createBoundedCache<PageFacts>({ maxEntries: options.cacheEntries });

  function read(pageUrl: string): PageFacts {
    const url = URL.parse(pageUrl);
    const hostname = withoutRootDot(url?.hostname ?? '');
    const port = url === null || url.port === '' ? '' : `:${url.port}`;
    return {
      ...options.readQuery(url?.search ?? ''),
      host: cutText(hostname, maxHostChars) + port,
      hostname,
      path: cleanPath(url?.pathname ?? '', mask),
    };
  }

  return (pageUrl) => {
    if (pageUrl.length > maxCachedUrlChars) return read(pageUrl);
    const known = cache.get(pageUrl);
    if (known !== undefined) return known;
    const page = read(pageUrl);
    cache.set(pageUrl, page);
    return page;
  };
}
