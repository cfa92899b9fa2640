import type { Answers, BatchLine } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import type { SendRequest } from './create-request.ts';
import { type Answer, type Fault, ok, toFault, unreachable } from './fault.ts';
import type { StatsAccess } from './stats-access.ts';

/** One of the questions of a batch. */
export type BatchQuestion = { [K in StatsKind]: { kind: K; question: Questions[K] } }[StatsKind];

/** Called once for each answered question, in the order in which the answers arrive. */
export type OnAnswer = (index: number, answer: Answer<Answers[StatsKind]>) => void;

export type StatsApi = ReturnType<typeof createStatsApi>;

/** Requests the statistics of a website, for a user or with a public link. */
export function createStatsApi(send: SendRequest) {
  const ask = (access: StatsAccess, path: string, body: object, accept: string, signal?: AbortSignal) =>
    send('POST', `/api/stats/${path}`, body, {
      headers: { ...access.headers, Accept: accept },
      // Nobody can sign in to a public link. It either works or it doesn't.
      isSigningIn: 'Trackside-Share' in access.headers,
      signal,
    });

  return {
    /** Asks up to `maxBatch` questions at once. Resolves to the fault of the questions that got no answer. */
    async batch(
      access: StatsAccess,
      questions: readonly BatchQuestion[],
      onAnswer: OnAnswer,
      signal?: AbortSignal,
    ): Promise<Fault> {
      const answer = await ask(access, 'batch', { questions }, 'application/x-ndjson', signal);
      if (!answer.isOk) return answer.fault;
      try {
        await readLines(answer.value.body!, (text) => {
          const line = JSON.parse(text) as BatchLine;
          onAnswer(line.index, toAnswer(line));
        });
      } catch (error) {
        if (signal?.aborted) throw error;
      }
      // The connection may have broken before all answers arrived.
      return unreachable;
    },

    /** Requests the rows of a question as a CSV file. */
    async csv(
      access: StatsAccess,
      question: Questions['query'],
      signal?: AbortSignal,
    ): Promise<Answer<Blob>> {
      const answer = await ask(access, 'query', question, 'text/csv', signal);
      return answer.isOk ? ok(await answer.value.blob()) : answer;
    },
  };
}

/** Calls back with each line of a text as it arrives. */
async function readLines(body: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = done ? '' : lines.pop()!;
    for (const line of lines) if (line !== '') onLine(line);
    if (done) return;
  }
}

function toAnswer(line: BatchLine): Answer<Answers[StatsKind]> {
  if ('answer' in line) return ok(line.answer);
  const wait = line.retryAfterSeconds === undefined ? null : String(line.retryAfterSeconds);
  return { isOk: false, fault: toFault(line.code, line, wait) };
}
