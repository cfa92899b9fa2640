import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request comes from a page of this very host. Browsers send Origin with every change; a page
 * elsewhere cannot make it up. A program without a browser says who it is by setting it.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (headers['sec-fetch-site'] !== undefined && headers['sec-fetch-site'] !== 'same-origin') return false;
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin';
  if (host === undefined || origin === 'null') return false;
  return URL.parse(origin)?.host === host.toLowerCase();
}
