import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A cookie of Trackside that no script can read. */
export type CookieKind = { name: string; shape: RegExp; sameSite: 'Lax' | 'Strict' };

/**
 * Returns whether the browser's connection uses TLS, which a proxy in front may say. Forging that header only
 * makes a cookie stricter.
 */
export function isSecure({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if ('encrypted' in socket && socket.encrypted === true) return true;
  return headers['x-forwarded-proto']?.toString().split(',')[0]?.trim().toLowerCase() === 'https';
}

/** Under TLS, the browser itself makes sure that no other host and no plain connection sets this cookie. */
const nameFor = ({ name }: CookieKind, isOnTls: boolean) => (isOnTls ? `__Host-${name}` : name);

/** Returns the value of a cookie, or undefined if it is missing or malformed. */
export function readCookie(
  kind: CookieKind,
  headers: IncomingHttpHeaders,
  isOnTls: boolean,
): string | undefined {
  const wanted = nameFor(kind, isOnTls);
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === wanted) return kind.shape.test(value) ? value : undefined;
  }
  return undefined;
}

/** Returns a Set-Cookie header. Without a value, the cookie is cleared. */
export function writeCookie(
  kind: CookieKind,
  set: { value: string; maxAgeSeconds: number } | undefined,
  isOnTls: boolean,
): string {
  const parts = [
    `${nameFor(kind, isOnTls)}=${set?.value ?? ''}`,
    'Path=/',
    `Max-Age=${set?.maxAgeSeconds ?? 0}`,
    'HttpOnly',
    `SameSite=${kind.sameSite}`,
  ];
  return [...parts, ...(isOnTls ? ['Secure'] : [])].join('; ');
}

const sessionKind: CookieKind = {
  name: 'trackside_session',
  shape: /^[\w-]{20,100}$/,
  // With "Lax", a link in an email leads to the page instead of the sign-in. This is safe, because a GET
  // changes nothing, except that the audit log may record it.
  sameSite: 'Lax',
};

export const readSessionCookie = (headers: IncomingHttpHeaders, isOnTls: boolean) =>
  readCookie(sessionKind, headers, isOnTls);

/** Returns the session cookie. Without a session, the cookie is cleared. */
export function sessionCookie(
  session: { token: string; maxAgeSeconds: number } | undefined,
  isOnTls: boolean,
): string {
  const set = session && { value: session.token, maxAgeSeconds: session.maxAgeSeconds };
  return writeCookie(sessionKind, set, isOnTls);
}
