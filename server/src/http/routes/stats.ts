import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Directory } from '../../control/watch-directory.ts';
import type { Website } from '../../control/website-row.ts';
import type { Log } from '../../core/log.ts';
import { isRefusal } from '../../intake/refusal.ts';
import type { AnswerRow } from '../../stats/answer/ask-question.ts';
import { toCsv } from '../../stats/answer/to-csv.ts';
import { toTable } from '../../stats/answer/to-table.ts';
import type { Statistics } from '../../stats/create-statistics.ts';
import { answerText } from '../answer.ts';
import type { ReaderOf } from '../app/session-reader.ts';
import { readStatsFault } from '../read-stats-fault.ts';
import { takeWholeBodies } from '../take-whole-bodies.ts';

type Parts = {
  statistics: Statistics;
  directory: Pick<Directory, 'get'>;
  readerOf: ReaderOf;
  log: Log;
};
type Ask = (statistics: Statistics, website: Website, body: unknown) => Promise<object>;

const maxBodyBytes = 256 * 1024;

/** Each question has a path of its own; all take a JSON object by POST, and a read token. */
const questions: Record<string, Ask> = {
  '/api/stats/query': (statistics, website, body) => statistics.query(website, body),
  '/api/stats/live': (statistics, website) => statistics.live(website),
  '/api/stats/bots': (statistics, website, body) => statistics.bots(website, body),
  '/api/stats/funnel': (statistics, website, body) => statistics.funnel(website, body),
  '/api/stats/retention': (statistics, website, body) => statistics.retention(website, body),
  '/api/stats/paths': (statistics, website, body) => statistics.paths(website, body),
};

export function statsRoutes(parts: Parts) {
  return Object.entries(questions).map(([path, ask]) => ({
    method: 'POST' as const,
    path,
    register(app: FastifyInstance) {
      app.register(async (scope) => {
        takeWholeBodies(scope, maxBodyBytes);
        scope.post(path, (request, reply) => answer(parts, ask, request, reply));
      });
    },
  }));
}

async function answer(parts: Parts, ask: Ask, request: FastifyRequest, reply: FastifyReply) {
  const { statistics, directory, readerOf, log } = parts;
  reply.header('Cache-Control', 'no-store');
  const reader = await readerOf(request);
  if (isRefusal(reader)) return send(reply, 401, reader.message);
  const website = directory.get(reader.websiteId);
  if (website === undefined) return send(reply, 503, 'The website is being set up: try again in a moment', 1);
  const body = readJson(request.body);
  if (body === undefined)
    return send(reply, 400, 'Body: expected a JSON object in UTF-8, got something else');
  try {
    const answered = await ask(statistics, website, body.json);
    if (wantsCsv(request) && hasCounts(answered)) {
      const { header, rows } = toTable(answered);
      return reply.type('text/csv; charset=utf-8').send(toCsv(header, rows));
    }
    return reply.send({ website: website.domain, timezone: website.timezone, ...answered });
  } catch (error) {
    const { code, message, retryAfterSeconds, isOurs } = readStatsFault(error);
    if (isOurs) log.error({ err: error, website: website.id, path: request.url }, 'a question failed');
    return send(reply, code, message, retryAfterSeconds);
  }
}

const wantsCsv = ({ headers }: FastifyRequest) => /^text\/csv\b/i.test(headers.accept ?? '');
const hasCounts = (answered: object): answered is { rows: AnswerRow[] } => 'answeredFrom' in answered;

/** An empty body asks for the defaults. */
function readJson(body: unknown): { json: unknown } | undefined {
  if (!Buffer.isBuffer(body) || body.length === 0) return { json: {} };
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}

function send(reply: FastifyReply, code: number, message: string, retryAfterSeconds?: number) {
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
  return reply.code(code).type('application/json').send(answerText(code, message));
}
