import type { FastifyRequest } from 'fastify';
import type { Control } from '../../control/open-control.ts';
import type { AuthenticateReader, Reader, ReaderRefusal } from '../stats/authenticate-reader.ts';
import { isSecure, readSessionCookie } from './cookie.ts';
import { isOwnOrigin } from './is-own-origin.ts';
import type { ShareLinks } from './share-links.ts';

export type ReaderOf = (request: FastifyRequest) => Promise<Reader | ReaderRefusal>;

const unauthorized: ReaderRefusal = { refused: 'unauthorized', message: 'Unauthorized: sign in' };
const deadLink: ReaderRefusal = {
  refused: 'unauthorized',
  message: 'Unauthorized: this link does not work, or no longer',
};

/**
 * Who asks for statistics: a program with a read token; a public page with the secret of its link in the
 * header Trackside-Share; or the web application with its session, which names the website in the header
 * Trackside-Website. A website that the user may not see is answered like no session at all.
 */
export function createReaderOf(parts: {
  authenticate: AuthenticateReader;
  shares: ShareLinks;
  control: Pick<Control, 'sessions' | 'users'>;
}): ReaderOf {
  const { authenticate, shares, control } = parts;
  return async (request) => {
    const { authorization, 'trackside-share': shareToken, 'trackside-website': named } = request.headers;
    if (authorization !== undefined) return await authenticate(authorization);
    // Before the session: a public page shows an admin what it shows to everybody.
    if (shareToken !== undefined) {
      const website = await shares.find(String(shareToken));
      return website === undefined ? deadLink : { websiteId: website.id, isByLink: true };
    }
    if (typeof named !== 'string') return await authenticate(undefined);
    if (!isOwnOrigin(request.headers) || !/^\d{1,10}$/.test(named)) return unauthorized;
    const token = readSessionCookie(request.headers, isSecure(request.raw));
    const session = token === undefined ? undefined : await control.sessions.find(token);
    const user = session && (await control.users.get(session.userId));
    const websiteId = Number(named);
    if (user === undefined || (user.role !== 'admin' && !user.websites.includes(websiteId)))
      return unauthorized;
    return { websiteId };
  };
}
