import type { Answers, BatchLine } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import type { SendRequest } from './create-request.ts';
import { type Answer, type Fault, ok, toFault, unreachable } from './fault.ts';
import type { StatsAccess } from './stats-access.ts';

/** One of several questions that go out together. */
export type BatchQuestion = { [K in StatsKind]: { kind: K; question: Questions[K] } }[StatsKind];

/** Is called once for each question that is answered, in the order in which that happens. */
export type OnAnswer = (index: number, answer: Answer<Answers[StatsKind]>) => void;

export type StatsApi = ReturnType<typeof createStatsApi>;

/** The numbers of a website, for whoever has access. */
export function createStatsApi(send: SendRequest) {
  const ask = (access: StatsAccess, path: string, body: object, accept: string, signal?: AbortSignal) =>
    send('POST', `/api/stats/${path}`, body, {
      headers: { ...access.headers, Accept: accept },
      // Nobody can sign in to a public link: it works or it does not.
      isSigningIn: 'Trackside-Share' in access.headers,
      signal,
    });

  return {
    /**
     * Up to `maxBatch` questions at once. Resolves to the fault of those that `onAnswer` was not called for.
     */
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
      // The connection broke before all answers were there.
      return unreachable;
    },

    /** The rows of a question as a file for spreadsheets. */
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

/** Hands over the lines of a text as they arrive. */
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
  const { code, fault, message, retryAfterSeconds } = line;
  const wait = retryAfterSeconds === undefined ? null : String(retryAfterSeconds);
  return { isOk: false, fault: toFault(code, { Message: message, fault }, wait) };
}
