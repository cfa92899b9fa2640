import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import { maxBatch } from '@trackside/contract/stats/limits.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import type { Answer } from '#api/fault.ts';
import type { StatsAccess } from '#api/stats-access.ts';
import type { BatchQuestion, StatsApi } from '#api/stats-api.ts';

export type Asker = {
  /** Rejects only when it was aborted. */
  ask<K extends StatsKind>(kind: K, question: Questions[K], signal: AbortSignal): Promise<Answer<Answers[K]>>;
};

type AnyAnswer = Answer<Answers[StatsKind]>;

/** A question that somebody waits for, once for all who ask the same. */
type Flight = { key: string; asked: BatchQuestion; waiting: Set<(answer: AnyAnswer) => void>; batch?: Batch };
type Batch = { flights: readonly Flight[]; aborter: AbortController };

/**
 * What is asked in the same moment goes out as one request, which ends early when nobody waits for it any
 * more.
 */
export function createAsker({
  access,
  statsApi,
}: {
  access: StatsAccess;
  statsApi: Pick<StatsApi, 'batch'>;
}): Asker {
  const flights = new Map<string, Flight>();
  let queue: Flight[] = [];

  function enqueue(key: string, asked: BatchQuestion): Flight {
    if (queue.length === 0) setTimeout(sendAll, 0);
    const flight: Flight = { key, asked, waiting: new Set() };
    flights.set(key, flight);
    queue.push(flight);
    return flight;
  }

  function sendAll(): void {
    const ready = queue.filter(({ waiting }) => waiting.size > 0);
    // Those that nobody waits for any more do not set out.
    for (const { key, waiting } of queue) if (waiting.size === 0) flights.delete(key);
    queue = [];
    for (let from = 0; from < ready.length; from += maxBatch) void send(ready.slice(from, from + maxBatch));
  }

  async function send(sent: readonly Flight[]): Promise<void> {
    const batch: Batch = { flights: sent, aborter: new AbortController() };
    for (const flight of sent) flight.batch = batch;
    const questions = sent.map(({ asked }) => asked);
    const onAnswer = (index: number, answer: AnyAnswer) => sent[index] && land(sent[index], answer);
    try {
      const fault = await statsApi.batch(access, questions, onAnswer, batch.aborter.signal);
      for (const flight of sent) land(flight, { isOk: false, fault });
    } catch (error) {
      if (!batch.aborter.signal.aborted) throw error;
    }
  }

  function land(flight: Flight, answer: AnyAnswer): void {
    if (flights.get(flight.key) === flight) flights.delete(flight.key);
    const waiting = [...flight.waiting];
    flight.waiting.clear();
    for (const tell of waiting) tell(answer);
  }

  function stopIfAlone({ batch }: Flight): void {
    if (batch === undefined || batch.flights.some(({ waiting }) => waiting.size > 0)) return;
    for (const { key } of batch.flights.filter((one) => flights.get(one.key) === one)) flights.delete(key);
    batch.aborter.abort();
  }

  return {
    ask<K extends StatsKind>(kind: K, question: Questions[K], signal: AbortSignal) {
      return new Promise<Answer<Answers[K]>>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const asked = { kind, question } as BatchQuestion;
        const key = JSON.stringify(asked);
        const flight = flights.get(key) ?? enqueue(key, asked);
        const tell = (answer: AnyAnswer) => {
          signal.removeEventListener('abort', leave);
          resolve(answer as Answer<Answers[K]>);
        };
        const leave = () => {
          flight.waiting.delete(tell);
          reject(signal.reason);
          stopIfAlone(flight);
        };
        flight.waiting.add(tell);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
