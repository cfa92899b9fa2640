import type { IncomingHttpHeaders } from 'node:http';
import { type CookieKind, readCookie, writeCookie } from './cookie.ts';

const kind: CookieKind = {
  name: 'trackside_session',
  shape: /^[\w-]{20,100}$/,
  // With "Lax", a link in an email leads to the page instead of the sign-in. This is safe, because no GET
  // changes anything.
  sameSite: 'Lax',
};

export const readSessionCookie = (headers: IncomingHttpHeaders, isOnTls: boolean) =>
  readCookie(kind, headers, isOnTls);

/** Returns the session cookie. Without a session, the cookie is cleared. */
export function sessionCookie(
  session: { token: string; maxAgeSeconds: number } | undefined,
  isOnTls: boolean,
): string {
  const set = session && { value: session.token, maxAgeSeconds: session.maxAgeSeconds };
  return writeCookie(kind, set, isOnTls);
}
