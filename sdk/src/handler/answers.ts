import type { HandlerAnswer } from '../request/incoming-request.ts';

const notKept = { 'Cache-Control': 'no-store' };
const allowed = 'GET, HEAD, POST, OPTIONS';

/** The origin of a listed page elsewhere. Null for all others, whose browsers need no such header. */
export type AllowedOrigin = string | null;

/** Confirms that we have the record, whatever happens later. */
export function taken(origin: AllowedOrigin): HandlerAnswer {
  return { status: 204, headers: { ...notKept, ...allowOrigin(origin) }, body: '' };
}

/** Says in plain text why a record was refused, for the developer of the page. */
export function refused(
  status: 400 | 403 | 405 | 413 | 429,
  text: string,
  origin: AllowedOrigin,
): HandlerAnswer {
  return { status, headers: { ...notKept, ...plainText, ...allowOrigin(origin) }, body: `${text}\n` };
}

export function tooMany(waitMs: number, origin: AllowedOrigin): HandlerAnswer {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const answer = refused(429, `Too many requests from this address; wait ${seconds} s`, origin);
  return { ...answer, headers: { ...answer.headers, 'Retry-After': `${seconds}` } };
}

export function wrongMethod(method: string): HandlerAnswer {
  const answer = refused(405, `Method: expected one of ${allowed}, got ${method}`, null);
  return { ...answer, headers: { ...answer.headers, Allow: allowed } };
}

/**
 * Answers a preflight request. Browsers send one before they send application/json from another origin, but
 * not before plain text.
 */
export function preflight(origin: AllowedOrigin): HandlerAnswer {
  const headers: Record<string, string> = { ...notKept, Allow: allowed, ...allowOrigin(origin) };
  if (origin !== null) {
    headers['Access-Control-Allow-Methods'] = 'POST';
    headers['Access-Control-Allow-Headers'] = 'content-type';
    headers['Access-Control-Max-Age'] = '86400';
  }
  return { status: 204, headers, body: '' };
}

const plainText = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };

/** Allows credentials, because `clientId` may read a cookie. */
function allowOrigin(origin: AllowedOrigin): Record<string, string> {
  if (origin === null) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
  };
}
