import { createFaultTeller, type FaultTeller } from '../faults/fault-teller.ts';
import type { Result } from '../faults/result.ts';
import { lateFault } from '../queue/closed-fault.ts';
import { type RecordCounts, RecordQueue } from '../queue/record-queue.ts';
import { type Malformed, makeEvent, makePageView } from '../record/make-record.ts';
import type { EventParameters, Metrics } from '../record/metrics.ts';
import type { TrackRecord } from '../record/record.ts';
import { RecordNumbers } from '../record/record-numbers.ts';
import { createAttempts } from '../sending/create-attempts.ts';
import type { Exchange } from '../sending/exchange.ts';
import { createFetchExchange } from '../sending/exchange-by-fetch.ts';
import { sendBatch } from '../sending/send-batch.ts';
import { type CheckResult, sendDryRun } from '../sending/send-dry-run.ts';
import type { Destination } from '../sending/send-in-time.ts';
import { sendRecord } from '../sending/send-record.ts';
import { sendWithRetries } from '../sending/send-with-retries.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { readOptions } from './options/read-options.ts';
import type { TracksideOptions } from './options/trackside-options.ts';
import type { Tracker, WaitUntil } from './tracker.ts';

export type Counts = {
  /** Tracked and not yet settled. */
  queued: number;
  /** Answered with 200, which includes records that the website excludes. */
  accepted: number;
  /** Refused with 400 or 429, or with 401 if the program waited for the answer. */
  refused: number;
  /** Tracked and lost without an answer: no room, too old, or left over. */
  dropped: number;
  /** Attempts after the first. */
  retried: number;
};

/** What is created from the options. */
type Parts = {
  options: ReturnType<typeof readOptions>;
  destination: Destination;
  teller: FaultTeller;
  queue: RecordQueue;
};

const defaultFlushMs = 5000;
/** A timer of more than 31 bits fires at once. */
const longestTimerMs = 2 ** 31 - 1;
/** Platforms end work that takes longer than about 30 seconds. */
const longestWaitUntilMs = 25_000;

/**
 * Sends page views and events to Trackside, either one at a time with the answer, or tracked in the
 * background.
 */
export class TracksideClient implements Tracker {
  #clock: Clock = systemClock;
  #counts: RecordCounts = { accepted: 0, refused: 0, dropped: 0, retried: 0 };
  #numbers = new RecordNumbers();
  #parts: Parts | undefined;
  #isClosedUnused = false;
  #exchange: Exchange;
  #giveOptions: () => TracksideOptions;

  /**
   * `exchange` is how this runtime sends requests, unless the program passes its own fetch. Options that come
   * from a function are read with the first record: a build that only loads the program may not have them.
   */
  constructor(options: TracksideOptions | (() => TracksideOptions), exchange: Exchange) {
    this.#exchange = exchange;
    this.#giveOptions = typeof options === 'function' ? options : () => options;
    if (typeof options !== 'function') this.#open();
  }

  #open(): Parts {
    if (this.#parts !== undefined) return this.#parts;
    const options = readOptions(this.#giveOptions());
    const { fetch, ...rest } = options;
    const exchange = fetch === undefined ? this.#exchange : createFetchExchange(fetch);
    const destination = { ...rest, exchange };
    const teller = createFaultTeller(options.onError, this.#clock);
    const queue = new RecordQueue({
      ...options.queue,
      timeoutMs: options.timeoutMs,
      clock: this.#clock,
      teller,
      counts: this.#counts,
      send: (record, signal) => sendRecord(destination, record, this.#clock, signal),
      sendBatch: (records, signal) => sendBatch(destination, records, this.#clock, signal),
    });
    this.#parts = { options, destination, teller, queue };
    return this.#parts;
  }

  /** Sends a page view and resolves to the answer. */
  pageView(metrics: Metrics): Promise<Result> {
    return this.#deliver(makePageView(metrics));
  }

  /** Sends an event and resolves to the answer. */
  event(name: string, parameters: EventParameters, metrics: Metrics): Promise<Result> {
    return this.#deliver(makeEvent(name, parameters, metrics));
  }

  /**
   * Resolves to what Trackside would make of a page view, or of an event if one is given. Nothing is stored or
   * counted, and nothing is tried again.
   */
  async check(metrics: Metrics, event?: { name: string; parameters: EventParameters }): Promise<CheckResult> {
    const record =
      event === undefined ? makePageView(metrics) : makeEvent(event.name, event.parameters, metrics);
    if ('kind' in record) return record;
    try {
      return await sendDryRun(this.#open().destination, record, this.#clock);
    } catch (cause) {
      return { kind: 'unavailable', code: 0, message: (cause as Error).message, cause };
    }
  }

  /** Takes a page view and returns at once. Never throws; faults go to `onError`. */
  trackPageView(metrics: Metrics, options?: { waitUntil?: WaitUntil }): void {
    this.#track(() => makePageView(metrics), options);
  }

  /** Takes an event and returns at once. Never throws; faults go to `onError`. */
  trackEvent(
    name: string,
    parameters: EventParameters,
    metrics: Metrics,
    options?: { waitUntil?: WaitUntil },
  ): void {
    this.#track(() => makeEvent(name, parameters, metrics), options);
  }

  /**
   * Resolves when all tracked records are settled, or after `withinMs` (5,000). Tries at once, even during a
   * pause.
   */
  async flush(options?: { withinMs?: number }): Promise<{ remaining: number }> {
    return this.#parts?.queue.flush(readWithinMs(options)) ?? { remaining: 0 };
  }

  /** Flushes, then takes no more records. With a disk queue, the next process sends what remains. */
  async close(options?: { withinMs?: number }): Promise<{ remaining: number }> {
    if (this.#parts === undefined) this.#isClosedUnused = true;
    return this.#parts?.queue.close(readWithinMs(options)) ?? { remaining: 0 };
  }

  counts(): Counts {
    return { queued: this.#parts?.queue.size ?? 0, ...this.#counts };
  }

  async #deliver(record: TrackRecord | Malformed): Promise<Result> {
    if ('kind' in record) {
      this.#counts.refused += 1;
      return record;
    }
    let parts: Parts;
    try {
      parts = this.#open();
    } catch (cause) {
      return { kind: 'unavailable', code: 0, message: (cause as Error).message, cause };
    }
    const { options, destination } = parts;
    const numbered = { ...record, sequence: this.#numbers.take() };
    const { result } = await sendWithRetries(createAttempts(destination, numbered, this.#clock), {
      retries: options.retries,
      clock: this.#clock,
      onRetry: () => {
        this.#counts.retried += 1;
      },
    });
    if (result.kind === 'accepted') this.#counts.accepted += 1;
    else if (result.kind !== 'unavailable') this.#counts.refused += 1;
    return result;
  }

  #track(make: () => TrackRecord | Malformed, options: { waitUntil?: WaitUntil } | undefined): void {
    let parts: Parts;
    try {
      parts = this.#open();
    } catch (error) {
      // Without options there is no onError either.
      this.#counts.dropped += 1;
      if (this.#counts.dropped === 1) console.error(error);
      return;
    }
    const { queue, teller } = parts;
    if (this.#isClosedUnused) {
      this.#counts.dropped += 1;
      teller.tell(lateFault);
      return;
    }
    try {
      const made = make();
      if ('kind' in made) {
        this.#counts.refused += 1;
        teller.tell({ kind: 'malformed', message: made.message, records: 1 });
        return;
      }
      // Also if the queue has no room: the gap shows Trackside that a record is missing.
      const record = { ...made, sequence: this.#numbers.take() };
      const waitUntil = options?.waitUntil ?? parts.options.waitUntil;
      if (waitUntil === undefined) queue.push(record, undefined);
      else this.#pushAndWait(parts, record, waitUntil);
    } catch (cause) {
      const message =
        'Expected to accept the record, got an exception from the values passed in or from the runtime.';
      teller.tell({ kind: 'unexpected', message, records: 1, cause });
    }
  }

  #pushAndWait({ queue, teller }: Parts, record: TrackRecord, waitUntil: WaitUntil): void {
    let settle = () => {};
    const delivery = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const stopTimer = this.#clock.startTimer(longestWaitUntilMs, settle, { keepsAlive: false });
    queue.push(record, () => {
      stopTimer();
      settle();
    });
    try {
      waitUntil(delivery);
    } catch (cause) {
      const message =
        'Expected waitUntil to accept a promise, got an exception: the record waits like any other.';
      teller.tell({ kind: 'unexpected', message, records: 1, cause });
    }
  }
}

function readWithinMs(options: { withinMs?: number } | undefined): number {
  const withinMs = options?.withinMs ?? defaultFlushMs;
  return Number.isFinite(withinMs) ? Math.min(Math.max(0, withinMs), longestTimerMs) : defaultFlushMs;
}
