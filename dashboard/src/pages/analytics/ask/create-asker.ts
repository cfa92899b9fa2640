import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import { maxBatch } from '@trackside/contract/stats/limits.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import type { Answer } from '#api/fault.ts';
import type { StatsAccess } from '#api/stats-access.ts';
import type { BatchQuestion, StatsApi } from '#api/stats-api.ts';

export type Asker = {
  /** Rejects only when the signal is aborted. */
  ask<K extends StatsKind>(kind: K, question: Questions[K], signal: AbortSignal): Promise<Answer<Answers[K]>>;
  /** Returns the last answer to the question with this key, unless newer ones have displaced it. */
  recall(key: string): KeptAnswer | undefined;
  /** Forgets all answers of a kind, because something other than the records has changed. */
  forget(kind: StatsKind): void;
};

export type KeptAnswer = { answer: Answers[StatsKind]; ageMs: number };

type AnyAnswer = Answer<Answers[StatsKind]>;

/** A question on its way, sent once for everybody who asks it. */
type Flight = { key: string; asked: BatchQuestion; waiting: Set<(answer: AnyAnswer) => void>; batch?: Batch };
type Batch = { flights: readonly Flight[]; aborter: AbortController };

type Parts = {
  access: StatsAccess;
  statsApi: Pick<StatsApi, 'batch'>;
  now: () => number;
  maxKept: number;
};

/** The key that identifies a question, no matter who asks it. */
export const keyOf = (kind: StatsKind, question: object): string => `${kind} ${JSON.stringify(question)}`;

/**
 * Asks the questions of the page. The questions of one screen are sent as one request, which is aborted when
 * nobody waits for any of its answers anymore. The last answers are kept, so that a view that was seen before
 * appears at once.
 */
export function createAsker({ access, statsApi, now, maxKept }: Parts): Asker {
  const kept = new Map<string, { answer: Answers[StatsKind]; atMs: number }>();
  const flights = new Map<string, Flight>();
  let screen: Flight[] = [];

  /**
   * Panels ask in the effects of a render. Those run in one go, so a microtask runs after the last of them.
   */
  function add(key: string, asked: BatchQuestion): Flight {
    if (screen.length === 0) queueMicrotask(sendScreen);
    const flight: Flight = { key, asked, waiting: new Set() };
    flights.set(key, flight);
    screen.push(flight);
    return flight;
  }

  function sendScreen(): void {
    const wanted = screen.filter(({ waiting }) => waiting.size > 0);
    for (const flight of screen) if (!wanted.includes(flight)) flights.delete(flight.key);
    screen = [];
    for (let from = 0; from < wanted.length; from += maxBatch) void send(wanted.slice(from, from + maxBatch));
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
    if (answer.isOk) keep(flight.key, { answer: answer.value, atMs: now() });
    const waiting = [...flight.waiting];
    flight.waiting.clear();
    for (const tell of waiting) tell(answer);
  }

  function stopIfAlone({ batch }: Flight): void {
    if (batch === undefined || batch.flights.some(({ waiting }) => waiting.size > 0)) return;
    for (const { key } of batch.flights.filter((one) => flights.get(one.key) === one)) flights.delete(key);
    batch.aborter.abort();
  }

  /** Moves an answer to the end of the map, and drops the first one when there are too many. */
  function keep(key: string, answer: { answer: Answers[StatsKind]; atMs: number }): void {
    kept.delete(key);
    kept.set(key, answer);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  }

  return {
    ask<K extends StatsKind>(kind: K, question: Questions[K], signal: AbortSignal) {
      return new Promise<Answer<Answers[K]>>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const key = keyOf(kind, question);
        const flight = flights.get(key) ?? add(key, { kind, question } as BatchQuestion);
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
    forget(kind) {
      for (const key of kept.keys()) if (key.startsWith(`${kind} `)) kept.delete(key);
    },
    recall(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      keep(key, found);
      return { answer: found.answer, ageMs: now() - found.atMs };
    },
  };
}
