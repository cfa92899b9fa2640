import type { FastifyRequest } from 'fastify';
import type { Control } from '../../control/open-control.ts';
import type { AuthenticateReader, Reader, ReaderRefusal } from '../authenticate-reader.ts';
import { isOwnOrigin } from './is-own-origin.ts';
import { isSecure, readSessionCookie } from './session-cookie.ts';

export type ReaderOf = (request: FastifyRequest) => Promise<Reader | ReaderRefusal>;

const unauthorized: ReaderRefusal = { refused: 'unauthorized', message: 'Unauthorized: sign in' };

/**
 * Who asks for statistics: a program with a read token, or the web application with its session, which names the website in
 * the header Trackside-Website. A website that the user may not see is answered like no session at all.
 */
export function createReaderOf(parts: {
  authenticate: AuthenticateReader;
  control: Pick<Control, 'sessions' | 'users'>;
}): ReaderOf {
  const { authenticate, control } = parts;
  return async (request) => {
    const named = request.headers['trackside-website'];
    if (request.headers.authorization !== undefined || typeof named !== 'string')
      return await authenticate(request.headers.authorization);
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
