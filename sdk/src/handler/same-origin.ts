import type { IncomingRequest } from '../request/incoming-request.ts';

/** Whose page sent a request. `host` is missing where the browser tells only that the origin is the same. */
export type Sender =
  | { kind: 'own'; host: string | undefined }
  | { kind: 'listed'; host: string; origin: string }
  | { kind: 'foreign' };

/**
 * Browsers say by themselves whose page sends, and no script can change that: in Sec-Fetch-Site, else in
 * Origin, else in Referer. A request with none of them is refused too. No page's script sends one like it, so
 * it is a program, which has the client for that.
 */
export function judgeSender(
  request: IncomingRequest,
  ownOrigin: string,
  listed: ReadonlySet<string>,
): Sender {
  const site = request.header('sec-fetch-site');
  const from = readOrigin(request.header('origin') ?? request.header('referer'));
  // Holds even behind a proxy that has changed the host on the way.
  if (site === 'same-origin') return { kind: 'own', host: from?.host };
  if (from === undefined) return { kind: 'foreign' };
  if (listed.has(from.origin)) return { kind: 'listed', host: from.host, origin: from.origin };
  if (site === 'same-site' || site === 'cross-site') return { kind: 'foreign' };
  // The host alone: behind a proxy that ends TLS the scheme looks different from here.
  return from.host === readOrigin(ownOrigin)?.host ? { kind: 'own', host: from.host } : { kind: 'foreign' };
}

/**
 * Whether the page that is to be counted is one of ours. The sender may be, and still tell of a page
 * elsewhere: in a copy of the site, or from a console.
 */
export function isOwnPage(
  page: string,
  sender: Exclude<Sender, { kind: 'foreign' }>,
  ownOrigin: string,
  listed: ReadonlySet<string>,
): boolean {
  const host = readOrigin(page)?.host;
  if (host === undefined) return false;
  if (host === sender.host || host === readOrigin(ownOrigin)?.host) return true;
  for (const origin of listed) if (host === readOrigin(origin)?.host) return true;
  return false;
}

/** Throws on what is not an origin: a list that silently matches nothing would refuse visitors. */
export function readListedOrigins(origins: readonly string[]): ReadonlySet<string> {
  return new Set(
    origins.map((text, index) => {
      const url = readOrigin(text);
      if (url !== undefined && url.host !== '' && /^https?:$/.test(url.protocol) && isBare(url)) {
        return url.origin;
      }
      throw new Error(
        `origins[${index}]: expected an origin such as "https://www.shop.example", got ${JSON.stringify(text)}`,
      );
    }),
  );
}

function isBare(url: URL): boolean {
  return (
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    !/[*]/.test(url.host)
  );
}

function readOrigin(text: string | undefined): URL | undefined {
  // URL.parse came only with Node 22. The origin "null" of a sandboxed page is no URL, and so foreign.
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}
