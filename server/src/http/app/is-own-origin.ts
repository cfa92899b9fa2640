import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns whether a request comes from a page on this host. Browsers send Origin with every change, and a
 * page elsewhere cannot forge it. A program that is not a browser has to set it.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (headers['sec-fetch-site'] !== undefined && headers['sec-fetch-site'] !== 'same-origin') return false;
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin';
  if (host === undefined || origin === 'null') return false;
  return URL.parse(origin)?.host === host.toLowerCase();
}
