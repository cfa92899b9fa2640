import { type StatsKind, statsKindNames } from '@trackside/contract/stats/kinds.ts';
import { maxBodyBytes, maxRows } from '@trackside/contract/stats/limits.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../../stats/plan/ask-question.ts';
import { toCsv } from '../../stats/table/to-csv.ts';
import { toTable } from '../../stats/table/to-table.ts';
import { answerText } from '../server/answer.ts';
import { goneSignal } from '../server/gone-signal.ts';
import { takeWholeBodies } from '../server/take-whole-bodies.ts';
import { readStatsFault, type StatsFault } from './read-stats-fault.ts';
import { readStatsRequest } from './read-stats-request.ts';
import { answerBatch } from './stats-batch-route.ts';
import { type StatsParts, statsKinds, withWebsite } from './stats-kinds.ts';

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Each kind of question has a path of its own, and one takes several; all take a JSON object by POST. */
export function statsRoutes(parts: StatsParts) {
  return [
    ...statsKindNames.map((kind) =>
      route(`/api/stats/${kind}`, (request, reply) => answer(parts, kind, request, reply)),
    ),
    route('/api/stats/batch', async (request, reply) => {
      const fault = await answerBatch(parts, request, reply);
      return fault === undefined ? reply : sendFault(reply, fault);
    }),
  ];
}

function route(path: string, handle: Handle) {
  return {
    method: 'POST' as const,
    path,
    register(app: FastifyInstance) {
      app.register(async (scope) => {
        takeWholeBodies(scope, maxBodyBytes);
        scope.post(path, (request, reply) => handle(request, reply.header('Cache-Control', 'no-store')));
      });
    },
  };
}

async function answer(parts: StatsParts, kind: StatsKind, request: FastifyRequest, reply: FastifyReply) {
  const gone = goneSignal(request.raw, reply.raw);
  const asked = await readStatsRequest(parts, request);
  if ('code' in asked) return sendFault(reply, asked);
  const { website, body, by } = asked;
  try {
    const isCsv = kind === 'query' && wantsCsv(request);
    const question = isCsv ? withAllRows(body) : body;
    const answered = await statsKinds[kind](parts.statistics, website, question, { by, signal: gone });
    if (isCsv && hasCounts(answered)) {
      const { header, rows } = toTable(answered, body as object);
      reply.header('Trackside-Total-Rows', String(answered.totalRows));
      return reply.type('text/csv; charset=utf-8').send(toCsv(header, rows));
    }
    return reply.send(withWebsite(website, answered));
  } catch (error) {
    if (gone.aborted) return reply.hijack().raw.destroy();
    const fault = readStatsFault(error);
    if (fault.isOurs) parts.log.error({ err: error, website: website.id, kind }, 'a question failed');
    return sendFault(reply, fault);
  }
}

const wantsCsv = ({ headers }: FastifyRequest) => /^text\/csv\b/i.test(headers.accept ?? '');
const hasCounts = (answered: object): answered is Pick<Answer, 'rows' | 'totalRows'> =>
  'answeredFrom' in answered;

/** A file does not show that rows are missing, so it has as many as there can be unless fewer are asked for. */
function withAllRows(question: unknown): unknown {
  const isObject = typeof question === 'object' && question !== null && !Array.isArray(question);
  return isObject ? { limit: maxRows, ...question } : question;
}

function sendFault(reply: FastifyReply, { code, fault, message, retryAfterSeconds }: StatsFault) {
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
  return reply
    .code(code)
    .type('application/json')
    .send(answerText(code, message, fault));
}
