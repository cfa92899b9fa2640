import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A cookie of ours that no script can read. */
export type CookieKind = { name: string; shape: RegExp; sameSite: 'Lax' | 'Strict' };

/**
 * By TLS up to the visitor's browser: a proxy in front says so. Whoever makes it up only makes a cookie
 * stricter.
 */
export function isSecure({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if ('encrypted' in socket && socket.encrypted === true) return true;
  return headers['x-forwarded-proto']?.toString().split(',')[0]?.trim().toLowerCase() === 'https';
}

/** Under TLS the browser itself takes care that no other host and no plain connection sets this cookie. */
const nameFor = ({ name }: CookieKind, isOnTls: boolean) => (isOnTls ? `__Host-${name}` : name);

/** Undefined also for a value that is not of the right shape. */
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

/** Without a value, the cookie is taken back. */
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
  // With "Lax", a link in an email leads to the page instead of the sign-in. This is safe, because no GET
  // changes anything.
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
