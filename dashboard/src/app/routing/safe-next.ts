import { matchRoute } from './match-route.ts';

/**
 * Where to go after signing in. It is always a page of this application, because a link to the sign-in page
 * must not redirect anybody elsewhere.
 */
export function safeNext(wanted: string | null, origin: string): string {
  const home = '/websites';
  if (wanted === null || !wanted.startsWith('/')) return home;
  const url = URL.parse(wanted, origin);
  if (url === null || url.origin !== origin) return home;
  const { page, audience } = matchRoute(url.pathname);
  return audience === 'anyone' || page === 'not-found' ? home : url.pathname + url.search;
}

export const signInPath = (from: string) =>
  from === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(from)}`;
