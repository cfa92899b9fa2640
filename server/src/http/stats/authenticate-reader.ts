import { type ReadTokens, readTokenPrefix } from '../../control/websites/read-tokens.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';

/** Who may ask statistics of this one website. */
export type Reader = {
  websiteId: number;
  tokenId?: number;
  /** A public link brought them. */
  isByLink?: true;
};
export type ReaderRefusal = { refused: 'unauthorized'; message: string };

/** Takes the value of the Authorization header: a read token, with or without "Bearer" in front. */
export type AuthenticateReader = (authorization: string | undefined) => Promise<Reader | ReaderRefusal>;

const message =
  'Unauthorized: send a read token of the website as "Authorization: Bearer <token>"; ' +
  '`npx trackside token add` makes one';
const trackingKeyMessage =
  'Unauthorized: this looks like the API key that sends records, and that key is not for reading; ' +
  '`npx trackside token add` makes a read token';
// Told by its shape alone, so that the answer does not tell whether the key is right.
const trackingKeyShape = new RegExp(`^(?!${readTokenPrefix})[\\w-]{43}$`);
const markIntervalMs = 60_000;

export function createAuthenticateReader(options: {
  readTokens: Pick<ReadTokens, 'find' | 'markUsed'>;
  clock: Clock;
  log: Log;
}): AuthenticateReader {
  const { readTokens, clock, log } = options;
  // Only tokens that exist come in here, so it stays as small as their table.
  const markedAtMs = new Map<number, number>();

  function markUsed(tokenId: number): void {
    const nowMs = clock.monotonicMs();
    if (nowMs - (markedAtMs.get(tokenId) ?? Number.NEGATIVE_INFINITY) < markIntervalMs) return;
    markedAtMs.set(tokenId, nowMs);
    readTokens.markUsed(tokenId).catch((error: unknown) => {
      log.warn({ err: error, tokenId }, 'the use of a read token could not be written down');
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
