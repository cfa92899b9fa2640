import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const name = 'trackside_session';
const shape = /^[\w-]{20,100}$/;

/** By TLS up to the visitor's browser: a proxy in front says so. Whoever makes it up only makes a cookie stricter. */
export function isSecure({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if ('encrypted' in socket && socket.encrypted === true) return true;
  return headers['x-forwarded-proto']?.toString().split(',')[0]?.trim().toLowerCase() === 'https';
}

/** Under TLS the browser itself takes care that no other host and no plain connection sets this cookie. */
const nameFor = (isOnTls: boolean) => (isOnTls ? `__Host-${name}` : name);

export function readSessionCookie(headers: IncomingHttpHeaders, isOnTls: boolean): string | undefined {
  const wanted = nameFor(isOnTls);
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === wanted) return shape.test(value) ? value : undefined;
  }
  return undefined;
}

/** Without a token, the cookie is taken back. */
export function sessionCookie(
  session: { token: string; maxAgeSeconds: number } | undefined,
  isOnTls: boolean,
): string {
  const parts = [
    `${nameFor(isOnTls)}=${session?.token ?? ''}`,
    'Path=/',
    `Max-Age=${session?.maxAgeSeconds ?? 0}`,
    'HttpOnly',
    // Lax, so that a link in a mail leads to the page and not to the sign-in; no GET changes anything.
    'SameSite=Lax',
  ];
  return [...parts, ...(isOnTls ? ['Secure'] : [])].join('; ');
}
