import { createFaultTeller, type FaultTeller } from '../faults/fault-teller.ts';
import type { Result } from '../faults/result.ts';
import { type RecordCounts, RecordQueue } from '../queue/record-queue.ts';
import { type Malformed, makeEvent, makePageView } from '../record/make-record.ts';
import type { EventParameters, Metrics } from '../record/metrics.ts';
import type { TrackRecord } from '../record/record.ts';
import type { Exchange } from '../sending/exchange.ts';
import { createFetchExchange } from '../sending/exchange-by-fetch.ts';
import { type Destination, sendRecord } from '../sending/send-record.ts';
import { sendWithRetries } from '../sending/send-with-retries.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { readOptions } from './options/read-options.ts';
import type { TracksideOptions } from './options/trackside-options.ts';
import type { Tracker, WaitUntil } from './tracker.ts';

export type Counts = {
  /** Tracked and not yet settled. */
  queued: number;
  /** Answered with 200. */
  accepted: number;
  /** Refused with 400 or 429, or with 401 if the program waited for the answer. */
  refused: number;
  /** Tracked and lost without an answer: no room, too old, or left over. */
  dropped: number;
  /** Attempts after the first. */
  retried: number;
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
  #options: ReturnType<typeof readOptions>;
  #destination: Destination;
  #clock: Clock = systemClock;
  #counts: RecordCounts = { accepted: 0, refused: 0, dropped: 0, retried: 0 };
  #teller: FaultTeller;
  #queue: RecordQueue;

  /** `exchange` is how this runtime sends requests, unless the program passes its own fetch. */
  constructor(options: TracksideOptions, exchange: Exchange) {
    this.#options = readOptions(options);
    const { fetch, ...rest } = this.#options;
    this.#destination = { ...rest, exchange: fetch === undefined ? exchange : createFetchExchange(fetch) };
    const { timeoutMs, onError, queue } = this.#options;
    this.#teller = createFaultTeller(onError, this.#clock);
    this.#queue = new RecordQueue({
      ...queue,
      timeoutMs,
      clock: this.#clock,
      teller: this.#teller,
      counts: this.#counts,
      send: (record, signal) => sendRecord(this.#destination, record, this.#clock, signal),
    });
  }

  /** Sends a page view and resolves to the answer. */
  pageView(metrics: Metrics): Promise<Result> {
    return this.#deliver(makePageView(metrics));
  }

  /** Sends an event and resolves to the answer. */
  event(name: string, parameters: EventParameters, metrics: Metrics): Promise<Result> {
    return this.#deliver(makeEvent(name, parameters, metrics));
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
  flush(options?: { withinMs?: number }): Promise<{ remaining: number }> {
    return this.#queue.flush(readWithinMs(options));
  }

  /** Flushes, then takes no more records. With a disk queue, the next process sends what remains. */
  close(options?: { withinMs?: number }): Promise<{ remaining: number }> {
    return this.#queue.close(readWithinMs(options));
  }

  counts(): Counts {
    return { queued: this.#queue.size, ...this.#counts };
  }

  async #deliver(record: TrackRecord | Malformed): Promise<Result> {
    if ('kind' in record) {
      this.#counts.refused += 1;
      return record;
    }
    const { result } = await sendWithRetries(() => sendRecord(this.#destination, record, this.#clock), {
      retries: this.#options.retries,
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
    try {
      const record = make();
      if ('kind' in record) {
        this.#counts.refused += 1;
        this.#teller.tell({ kind: 'malformed', message: record.message, records: 1 });
        return;
      }
      const waitUntil = options?.waitUntil ?? this.#options.waitUntil;
      if (waitUntil === undefined) this.#queue.push(record, undefined);
      else this.#pushAndWait(record, waitUntil);
    } catch (cause) {
      const message =
        'Expected to accept the record, got an exception from the values passed in or from the runtime.';
      this.#teller.tell({ kind: 'unexpected', message, records: 1, cause });
    }
  }

  #pushAndWait(record: TrackRecord, waitUntil: WaitUntil): void {
    let settle = () => {};
    const delivery = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const stopTimer = this.#clock.startTimer(longestWaitUntilMs, settle, { keepsAlive: false });
    this.#queue.push(record, () => {
      stopTimer();
      settle();
    });
    try {
      waitUntil(delivery);
    } catch (cause) {
      const message =
        'Expected waitUntil to accept a promise, got an exception: the record waits like any other.';
      this.#teller.tell({ kind: 'unexpected', message, records: 1, cause });
    }
  }
}

function readWithinMs(options: { withinMs?: number } | undefined): number {
  const withinMs = options?.withinMs ?? defaultFlushMs;
  return Number.isFinite(withinMs) ? Math.min(Math.max(0, withinMs), longestTimerMs) : defaultFlushMs;
}
