import type { IncomingHttpHeaders } from 'node:http';
import { type CookieKind, readCookie, writeCookie } from './cookie.ts';

const kind: CookieKind = {
  name: 'trackside_session',
  shape: /^[\w-]{20,100}$/,
  // So that a link in a mail leads to the page and not to the sign-in; no GET changes anything.
  sameSite: 'Lax',
};

export const readSessionCookie = (headers: IncomingHttpHeaders, isOnTls: boolean) =>
  readCookie(kind, headers, isOnTls);

/** Without a token, the cookie is taken back. */
export function sessionCookie(
  session: { token: string; maxAgeSeconds: number } | undefined,
  isOnTls: boolean,
): string {
  const set = session && { value: session.token, maxAgeSeconds: session.maxAgeSeconds };
  return writeCookie(kind, set, isOnTls);
}
