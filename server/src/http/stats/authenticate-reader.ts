import type { FastifyRequest } from 'fastify';
import type { Control } from '../../control/open-control.ts';
import { type ReadTokens, readTokenPrefix } from '../../control/websites/read-tokens.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { isSecure, readSessionCookie } from '../app/cookie.ts';
import { isOwnOrigin } from '../app/is-own-origin.ts';
import type { SharedWebsites } from '../app/shared-websites.ts';

/** Someone who may ask for the statistics of this one website. */
export type Reader = {
  websiteId: number;
  tokenId?: number;
  /** The user who is signed in. */
  userId?: number;
  /** They came through a public link. */
  isByLink?: true;
};
export type ReaderRefusal = { refused: 'unauthorized'; message: string };

export type ReaderOf = (request: FastifyRequest) => Promise<Reader | ReaderRefusal>;

const unauthorized: ReaderRefusal = { refused: 'unauthorized', message: 'Unauthorized: sign in' };
const deadLink: ReaderRefusal = {
  refused: 'unauthorized',
  message: 'Unauthorized: this link is invalid or was revoked',
};

/**
 * Determines who is asking for statistics: a program with a read token, a public page with the secret of its
 * link in the header Trackside-Share, or the web application with its session, which names the website in the
 * header Trackside-Website. A website that the user may not see is refused as if there were no session.
 */
export function createReaderOf(parts: {
  authenticate: AuthenticateReader;
  shares: SharedWebsites;
  control: Pick<Control, 'sessions' | 'users'>;
}): ReaderOf {
  const { authenticate, shares, control } = parts;
  return async (request) => {
    const { authorization, 'trackside-share': shareToken, 'trackside-website': named } = request.headers;
    if (authorization !== undefined) return await authenticate(authorization);
    // This comes before the session, because a public page shows an admin what it shows to everyone.
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
    return { websiteId, userId: user.id };
  };
}

/** Reads the value of the Authorization header: a read token, with or without "Bearer" in front. */
export type AuthenticateReader = (authorization: string | undefined) => Promise<Reader | ReaderRefusal>;

const message =
  'Unauthorized: send a read token of the website as "Authorization: Bearer <token>"; ' +
  'create one with `npx trackside token add`';
const trackingKeyMessage =
  'Unauthorized: this looks like the API key, which can only send records; ' +
  'create a read token with `npx trackside token add`';
// Recognized by its shape alone, so that the answer does not reveal whether the key is right.
const trackingKeyShape = new RegExp(`^(?!${readTokenPrefix})[\\w-]{43}$`);
const markIntervalMs = 60_000;

export function createAuthenticateReader(options: {
  readTokens: Pick<ReadTokens, 'find' | 'markUsed'>;
  clock: Clock;
  log: Log;
}): AuthenticateReader {
  const { readTokens, clock, log } = options;
  // Only tokens that exist get in here, so this never has more entries than their table.
  const markedAtMs = new Map<number, number>();

  function markUsed(tokenId: number): void {
    const nowMs = clock.monotonicMs();
    if (nowMs - (markedAtMs.get(tokenId) ?? Number.NEGATIVE_INFINITY) < markIntervalMs) return;
    markedAtMs.set(tokenId, nowMs);
    readTokens.markUsed(tokenId).catch((error: unknown) => {
      log.warn({ err: error, tokenId }, 'cannot save when a read token was last used');
    });
  }

  return async (authorization) => {
    const value = authorization?.replace(/^bearer +/i, '') ?? '';
    const found = await readTokens.find(value);
    if (found !== undefined) {
      markUsed(found.id);
      return { websiteId: found.websiteId, tokenId: found.id };
    }
    return { refused: 'unauthorized', message: trackingKeyShape.test(value) ? trackingKeyMessage : message };
  };
}
