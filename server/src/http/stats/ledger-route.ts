import type { LedgerAnswer } from '@trackside/contract/app/ledger.ts';
import type { FastifyInstance } from 'fastify';
import type { WebsiteCache } from '../../control/websites/website-cache.ts';
import type { Website } from '../../control/websites/website-row.ts';
import { type LedgerDays, readLedgerDays } from '../../intake/tally/read-ledger.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { faultText } from '../server/answer.ts';
import type { AuthenticateReader } from './authenticate-reader.ts';
import { readStatsFault, type StatsFault, statsFault } from './read-stats-fault.ts';

type Parts = {
  ledger: (website: Website, days: LedgerDays) => Promise<LedgerAnswer>;
  authenticate: AuthenticateReader;
  websiteCache: Pick<WebsiteCache, 'get'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
};

const path = '/api/ledger';

/** Returns the route by which programs read the ledger of a website, with one of its read tokens. */
export function ledgerRoute(parts: Parts) {
  return {
    method: 'GET' as const,
    path,
    register(app: FastifyInstance) {
      app.get(path, async (request, reply) => {
        reply.header('Cache-Control', 'no-store');
        const query = request.query as Record<string, string | string[] | undefined>;
        const answer = await read(parts, request.headers.authorization, query).catch((error: unknown) => {
          const fault = readStatsFault(error);
          if (fault.isOurs) parts.log.error({ err: error }, 'a ledger could not be read');
          return fault;
        });
        if (!isFault(answer)) return reply.send(answer);
        const { code, fault, message, retryAfterSeconds } = answer;
        if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
        return reply
          .code(code)
          .type('application/json')
          .send(faultText(code, fault, message));
      });
    },
  };
}

const isFault = (answer: LedgerAnswer | StatsFault): answer is StatsFault => 'fault' in answer;

async function read(
  { ledger, authenticate, websiteCache, clock }: Parts,
  authorization: string | undefined,
  query: Record<string, string | string[] | undefined>,
): Promise<LedgerAnswer | StatsFault> {
  const reader = await authenticate(authorization);
  if ('refused' in reader) return statsFault('unauthorized', reader.message);
  const website = websiteCache.get(reader.websiteId);
  if (website === undefined)
    return statsFault('website-not-ready', 'The website is being set up: try again in a moment', 1);
  const textOf = (name: string) => [query[name]].flat().at(-1);
  const days = readLedgerDays({ from: textOf('from'), to: textOf('to') }, website.timezone, clock.now());
  if ('fault' in days) return statsFault('question-invalid', days.fault);
  const answer = await ledger(website, days);
  // Whoever may read statistics need not know any part of the key that records are sent with.
  return { ...answer, keys: answer.keys.map((key) => ({ ...key, masked: null })) };
}
