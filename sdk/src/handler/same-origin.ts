import { describeOption } from '../client/options/describe-option.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';

/**
 * The origin of the page that sent a request. `host` is missing if the browser only says that the origin is
 * the same.
 */
export type Sender =
  | { kind: 'own'; host: string | undefined }
  | { kind: 'listed'; host: string; origin: string }
  | { kind: 'foreign' };

/**
 * Decides whose page sent a request. Browsers say so themselves, and no script can change it: in
 * Sec-Fetch-Site, otherwise in Origin, otherwise in Referer. A request with none of them is refused too,
 * because no page's script sends one. It comes from a program, which can use the client instead.
 */
export function judgeSender(
  request: IncomingRequest,
  ownOrigin: string,
  listed: ReadonlySet<string>,
): Sender {
  const site = request.header('sec-fetch-site');
  const from = readOrigin(request.header('origin') ?? request.header('referer'));
  // This holds even behind a proxy that changes the host.
  if (site === 'same-origin') return { kind: 'own', host: from?.host };
  if (from === undefined) return { kind: 'foreign' };
  if (listed.has(from.origin)) return { kind: 'listed', host: from.host, origin: from.origin };
  if (site === 'same-site' || site === 'cross-site') return { kind: 'foreign' };
  // Compares only the host, because the scheme looks different behind a proxy that ends TLS.
  return from.host === readOrigin(ownOrigin)?.host ? { kind: 'own', host: from.host } : { kind: 'foreign' };
}

/**
 * Returns whether the page to count is one of ours. Our own page can also report a page elsewhere: in a copy
 * of the site, or from a console.
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

/**
 * Reads the listed origins. Throws on anything else, because a list that silently matches nothing would
 * refuse visitors.
 */
export function readListedOrigins(origins: readonly string[]): ReadonlySet<string> {
  if (!Array.isArray(origins)) {
    throw new Error(
      `origins: expected a list such as ["https://www.shop.example"], got ${describeOption(origins)}`,
    );
  }
  return new Set(
    origins.map((text, index) => {
      const url = readOrigin(text);
      if (url !== undefined && url.host !== '' && /^https?:$/.test(url.protocol) && isBare(url)) {
        return url.origin;
      }
      throw new Error(
        `origins[${index}]: expected an origin such as "https://www.shop.example", ` +
          `got ${JSON.stringify(text)}`,
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
  // URL.parse needs Node 22. The origin "null" of a sandboxed page is not a URL, and so is foreign.
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}
