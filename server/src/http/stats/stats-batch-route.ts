import { PassThrough } from 'node:stream';
import { maxBatch } from '@trackside/contract/stats/limits.ts';
import { anyQuestionSchema, batchSchema } from '@trackside/contract/stats/questions.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Website } from '../../control/websites/website-row.ts';
import type { Asking } from '../../stats/create-statistics.ts';
import { QuestionError } from '../../stats/question/question-error.ts';
import { createReader, readList, readObject } from '../../stats/question/read-value.ts';
import { goneSignal } from '../server/gone-signal.ts';
import { readStatsFault, type StatsFault } from './read-stats-fault.ts';
import { readStatsRequest } from './read-stats-request.ts';
import { type StatsParts, statsKinds, withWebsite } from './stats-kinds.ts';

type Line = { index: number; code: 200; answer: object } | ({ index: number } & Omit<StatsFault, 'isOurs'>);

const readKind = createReader(anyQuestionSchema.properties.kind);

/**
 * Answers several questions by one request: a line of JSON for each, as soon as it is answered, so that none waits for
 * another. Returns the fault of a request that gets no lines at all.
 */
export async function answerBatch(
  parts: StatsParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<StatsFault | undefined> {
  const gone = goneSignal(request.raw, reply.raw);
  const asked = await readStatsRequest(parts, request);
  if ('code' in asked) return asked;
  const questions = readQuestions(asked.body);
  if (!Array.isArray(questions)) return questions;
  const lines = new PassThrough();
  // A proxy that collects the answer would keep the quick ones back.
  reply.header('X-Accel-Buffering', 'no').type('application/x-ndjson; charset=utf-8').send(lines);
  const write = async (question: unknown, index: number) => {
    const line = await answerOne(parts, asked.website, { question, index }, { by: asked.by, signal: gone });
    if (!gone.aborted) lines.write(`${JSON.stringify(line)}\n`);
  };
  await Promise.all(questions.map(write));
  lines.end();
  return undefined;
}

function readQuestions(body: unknown): unknown[] | StatsFault {
  try {
    const { questions } = readObject('Body', body, batchSchema);
    const list = readList('questions', questions, maxBatch, (_path, question) => question);
    if (list.length > 0) return list;
    throw new QuestionError(`questions: expected 1 to ${maxBatch} of them, got none`);
  } catch (error) {
    return readStatsFault(error);
  }
}

async function answerOne(
  { statistics, log }: StatsParts,
  website: Website,
  { question, index }: { question: unknown; index: number },
  asking: Required<Asking>,
): Promise<Line> {
  const path = `questions[${index}]`;
  try {
    const asked = readObject(path, question, anyQuestionSchema);
    const kind = readKind(`${path}.kind`, asked.kind);
    const answered = await statsKinds[kind](statistics, website, asked.question ?? {}, asking);
    return { index, code: 200, answer: withWebsite(website, answered) };
  } catch (error) {
    const { isOurs, ...fault } = readStatsFault(error);
    if (isOurs && !asking.signal.aborted)
      log.error({ err: error, website: website.id, index }, 'a question failed');
    return { index, ...fault };
  }
}
