import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { type StatsKind, statsKindNames } from '@trackside/contract/stats/kinds.ts';
import { maxBatch, maxBodyBytes } from '@trackside/contract/stats/limits.ts';
import { anyQuestionSchema, batchSchema } from '@trackside/contract/stats/questions.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebsiteCache } from '../../control/websites/website-cache.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Log } from '../../log.ts';
import type { ScreenQuestion, Statistics } from '../../stats/create-statistics.ts';
import { QuestionError } from '../../stats/question/question-error.ts';
import { createReader, readList, readObject } from '../../stats/question/read-value.ts';
import { faultText } from '../server/answer.ts';
import { takeWholeBodies } from '../server/take-whole-bodies.ts';
import type { ReaderOf } from './authenticate-reader.ts';
import { allowOrigin, answerPreflight } from './cross-origin.ts';
import { prefersCsv } from './prefers-csv.ts';
import { readStatsFault, type StatsFault, statsFault } from './read-stats-fault.ts';
import { toCsvFile, withAllRows } from './to-csv-file.ts';

export type StatsParts = {
  statistics: Statistics;
  websiteCache: Pick<WebsiteCache, 'get' | 'list' | 'refresh'>;
  readerOf: ReaderOf;
  log: Log;
};

/** The website that a request asks about, what it asks, and who asks. */
type StatsRequest = {
  website: Website;
  body: unknown;
  by: 'user' | 'link';
  userId: number | undefined;
  gone: AbortSignal;
};

/** Sends the answer, or returns the fault to send. */
type Handle = (
  asked: StatsRequest,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<StatsFault | undefined>;

/** One of several questions, or what is wrong with it. */
type BatchQuestion = ScreenQuestion | StatsFault;

type BatchLine =
  | { index: number; code: 200; answer: object }
  | ({ index: number } & Omit<StatsFault, 'isOurs'>);

const readKind = createReader(anyQuestionSchema.properties.kind);

/** Has a route for each kind of question, and one for several questions. All take a JSON object by POST. */
export function statsRoutes(parts: StatsParts) {
  return [
    ...statsKindNames.map((kind) =>
      route(parts, kind, (asked, request, reply) => answerOne(parts, kind, asked, request, reply)),
    ),
    route(parts, 'batch', (asked, _request, reply) => answerBatch(parts, asked, reply)),
  ];
}

function route(parts: StatsParts, name: StatsKind | 'batch', handle: Handle) {
  const path = `/api/stats/${name}`;
  return {
    method: 'POST' as const,
    path,
    register(app: FastifyInstance) {
      app.register(async (scope) => {
        takeWholeBodies(scope, maxBodyBytes);
        // What an answer lets another origin read depends on the origin, so no cache may mix them up.
        scope.addHook('onRequest', async (_request, reply) => void reply.header('Vary', 'Origin'));
        scope.options(path, (request, reply) => {
          if (answerPreflight(request, reply, parts.websiteCache.list())) return reply;
          reply.header('Allow', 'POST');
          return sendFault(reply, statsFault('method-not-allowed', 'Method not allowed: send a POST'));
        });
        scope.post(path, async (request, reply) => {
          reply.header('Cache-Control', 'no-store');
          const gone = goneSignal(request.raw, reply.raw);
          const asked = await readRequest(parts, request, reply);
          const fault = 'code' in asked ? asked : await handle({ ...asked, gone }, request, reply);
          return fault === undefined ? reply : sendFault(reply, fault);
        });
      });
    },
  };
}

/**
 * Returns a signal that is aborted when the client goes before the answer is complete. For the sake of
 * records, the server still answers a client that has closed its own side. Here that counts as gone, because
 * a browser that gives up looks just the same.
 */
function goneSignal({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(new Error('the client has left'));
  if (socket.readableEnded) leave();
  socket.once('end', leave);
  response.once('close', () => {
    socket.off('end', leave);
    if (!response.writableFinished) leave();
  });
  return gone.signal;
}

async function readRequest(
  { websiteCache, readerOf, log }: StatsParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Omit<StatsRequest, 'gone'> | StatsFault> {
  const reader = await readerOf(request).catch((error: unknown): StatsFault => {
    const fault = readStatsFault(error);
    if (fault.isOurs) log.error({ err: error }, 'cannot authenticate a request for statistics');
    return fault;
  });
  if ('code' in reader) return reader;
  if ('refused' in reader) {
    // No website is known without a valid token. The developer of a page still gets to read what is wrong.
    allowOrigin(request, reply, websiteCache.list());
    return statsFault('unauthorized', reader.message);
  }
  let website = websiteCache.get(reader.websiteId);
  if (website === undefined) {
    // It may have just been added: people look at a new website right away.
    await websiteCache.refresh();
    website = websiteCache.get(reader.websiteId);
  }
  if (website === undefined)
    return statsFault('website-not-ready', 'The website is being set up: try again in a moment', 1);
  allowOrigin(request, reply, [website]);
  const body = readJson(request.body);
  if (body === undefined)
    return statsFault('body-invalid', 'Body: expected a JSON object in UTF-8, got something else');
  const by = reader.isByLink === true ? 'link' : 'user';
  return { website, body: body.json, by, userId: reader.userId };
}

/** Parses the body. An empty one asks for the defaults. */
function readJson(body: unknown): { json: unknown } | undefined {
  if (!Buffer.isBuffer(body) || body.length === 0) return { json: {} };
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}

async function answerOne(
  { statistics, log }: StatsParts,
  kind: StatsKind,
  { website, body, by, userId, gone }: StatsRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<StatsFault | undefined> {
  try {
    const isCsv = prefersCsv(request.headers.accept);
    const question = isCsv ? withAllRows(kind, body) : body;
    const [answer] = statistics.answerScreen(website, [{ kind, question }], { by, userId, signal: gone });
    const answered = await answer!;
    if (isCsv) {
      const { headers, text } = toCsvFile(kind, answered, body as object);
      reply.headers(headers).type('text/csv; charset=utf-8').send(text);
    } else reply.send(withWebsite(website, answered));
    return undefined;
  } catch (error) {
    if (gone.aborted) {
      reply.hijack().raw.destroy();
      return undefined;
    }
    const fault = readStatsFault(error);
    if (fault.isOurs) log.error({ err: error, website: website.id, kind }, 'a question failed');
    return fault;
  }
}

/** Answers several questions of one request: a line of JSON for each, written as soon as it is answered. */
async function answerBatch(
  { statistics, log }: StatsParts,
  { website, body, by, userId, gone }: StatsRequest,
  reply: FastifyReply,
): Promise<StatsFault | undefined> {
  const questions = readBatch(body);
  if (!Array.isArray(questions)) return questions;
  const lines = new PassThrough();
  // A proxy that buffers the response would hold the quick answers back.
  reply.header('X-Accel-Buffering', 'no').type('application/x-ndjson; charset=utf-8').send(lines);
  const readable = questions.filter((question): question is ScreenQuestion => !('code' in question));
  const answers = statistics.answerScreen(website, readable, { by, userId, signal: gone });
  const answerOf = new Map(readable.map((question, at) => [question, answers[at]!]));
  const toLine = async (question: BatchQuestion, index: number): Promise<BatchLine> => {
    if ('code' in question) return faultLine(index, question);
    try {
      return { index, code: 200, answer: withWebsite(website, await answerOf.get(question)!) };
    } catch (error) {
      const fault = readStatsFault(error);
      if (fault.isOurs && !gone.aborted)
        log.error({ err: error, website: website.id, index }, 'a question failed');
      return faultLine(index, fault);
    }
  };
  const write = async (question: BatchQuestion, index: number) => {
    const line = await toLine(question, index);
    if (!gone.aborted) lines.write(`${JSON.stringify(line)}\n`);
  };
  await Promise.all(questions.map(write));
  lines.end();
  return undefined;
}

function readBatch(body: unknown): BatchQuestion[] | StatsFault {
  try {
    const { questions } = readObject('Body', body, batchSchema);
    const list = readList('questions', questions, maxBatch, readBatchQuestion);
    if (list.length > 0) return list;
    throw new QuestionError(`questions: expected 1 to ${maxBatch} questions, got none`);
  } catch (error) {
    return readStatsFault(error);
  }
}

function readBatchQuestion(path: string, value: unknown): BatchQuestion {
  try {
    const { kind, question } = readObject(path, value, anyQuestionSchema);
    return { kind: readKind(`${path}.kind`, kind), question: question ?? {} };
  } catch (error) {
    return readStatsFault(error);
  }
}

function faultLine(index: number, { isOurs, ...fault }: StatsFault): BatchLine {
  return { index, ...fault };
}

/** Completes an answer with the website it is about. */
function withWebsite({ domain, timezone }: Website, answered: object): object {
  return { website: domain, timezone, ...answered };
}

function sendFault(reply: FastifyReply, { code, fault, message, retryAfterSeconds }: StatsFault) {
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
  return reply
    .code(code)
    .type('application/json')
    .send(faultText(code, fault, message));
}
