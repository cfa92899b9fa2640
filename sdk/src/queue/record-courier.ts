import type { Attempt } from '../faults/result.ts';
import type { TrackFault } from '../faults/track-fault.ts';
import { judgeTimeout } from '../sending/judge-network-fault.ts';
import type { BatchOutcome } from '../sending/read-batch-answer.ts';
import type { AttemptedRecord } from '../sending/send-record.ts';
import type { Clock } from '../time/clock.ts';
import { BatchSize } from './batch-size.ts';
import { closedFault } from './closed-fault.ts';
import { dateRecord } from './date-record.ts';
import type { DiskKeep } from './disk-keep.ts';
import { giveUpFault, reasonToGiveUp } from './give-up.ts';
import { judgeAttempt, type RecordEnd, type Verdict } from './judge-attempt.ts';
import { Pause } from './pause.ts';
import type { QueuedRecord } from './queued-record.ts';
import { RecordLine } from './record-line.ts';

export type CourierOptions = {
  /** The signal ends the attempt early, when nobody can wait for it anymore. */
  send: (record: AttemptedRecord, signal: AbortSignal) => Promise<Attempt>;
  sendBatch: (records: readonly AttemptedRecord[], signal: AbortSignal) => Promise<BatchOutcome>;
  clock: Clock;
  disk: DiskKeep | undefined;
  /** The timeout of one attempt. */
  timeoutMs: number;
  maxAgeMs: number;
  concurrency: number;
  onRetry: () => void;
  /** Called when the record needs no more attempts. */
  onEnd: (record: QueuedRecord, end: RecordEnd) => void;
  /** Called when the record is kept, but something is wrong. */
  onFault: (fault: TrackFault) => void;
};

type Flight = {
  records: readonly QueuedRecord[];
  startedMs: number;
  startedAt: number;
  wave: number;
  isUrgent: boolean;
  aborter: AbortController;
};

/** Records that a caller is waiting for skip the queue, but only this many at once. */
const maxUrgent = 50;
/**
 * How long after its timeout an attempt counts as over without a result. Edge runtimes end attempts without
 * notice.
 */
const graceMs = 5000;
/** A timer that is later than this will never fire. */
const lostTimerMs = 1000;

/**
 * Carries records to the server in order, several at the same time. All of them wait while the server is
 * away.
 */
export class RecordCourier {
  #options: CourierOptions;
  #clock: Clock;
  #pause: Pause;
  #batchSize: BatchSize;
  #line = new RecordLine();
  #flights = new Set<Flight>();
  #isStopped = false;
  #nextOrder = 0;
  #pumpDueMs = Number.NEGATIVE_INFINITY;
  #stopResumeTimer = () => {};

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#pause = new Pause(options.clock);
    this.#batchSize = new BatchSize(options.clock);
  }

  /** Adds a record. It is sent after the turn of the request that tracks it. */
  add(record: QueuedRecord): void {
    record.order = this.#takeOrder();
    this.#line.push(record);
    this.#pumpSoon();
  }

  /**
   * Sends the record with its own timer, and not when other attempts end: these can belong to requests that
   * are over by then.
   */
  addUrgent(record: QueuedRecord): void {
    record.order = this.#takeOrder();
    this.#clock.startTimer(0, () => this.#startUrgent(record), { keepsAlive: true });
  }

  /** Ends a pause, for a caller who cannot wait for it. */
  hurry(): void {
    this.#pause.cutShort();
    this.#pump();
  }

  /**
   * Ends the attempts in progress, so that they do not hold up the end of the program. Their records wait for
   * the next attempt.
   */
  letGo(): void {
    for (const { aborter } of [...this.#flights]) aborter.abort();
  }

  /** Starts nothing more, ends what is in progress, and returns the records that were not sent. */
  stop(): QueuedRecord[] {
    this.#isStopped = true;
    this.letGo();
    this.#stopResumeTimer();
    const rest: QueuedRecord[] = [];
    for (let record = this.#line.take(); record !== undefined; record = this.#line.take()) rest.push(record);
    return rest;
  }

  #takeOrder(): number {
    this.#nextOrder += 1;
    return this.#nextOrder;
  }

  #pumpSoon(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#pumpDueMs < lostTimerMs) return;
    this.#pumpDueMs = nowMs;
    const pump = () => {
      this.#pumpDueMs = Number.NEGATIVE_INFINITY;
      this.#pump();
    };
    this.#clock.startTimer(0, pump, { keepsAlive: true });
  }

  /**
   * Starts what may start now according to the clock, because a timer can be late, or gone with the request
   * that started it.
   */
  #pump(): void {
    this.#stopResumeTimer();
    if (this.#isStopped) return;
    this.#endLostFlights();
    this.#giveUpOld();
    while (this.#line.length > 0 && this.#canStart()) {
      this.#start(this.#takeNext(), { isUrgent: false });
      this.#giveUpOld();
    }
    if (this.#line.length === 0) return;
    // The end of a request in progress continues from here, so the timer is only for a request that is lost.
    const delayMs = this.#pause.remainingMs || this.#options.timeoutMs + graceMs;
    this.#stopResumeTimer = this.#clock.startTimer(delayMs, () => this.#pump(), { keepsAlive: false });
  }

  /** Takes the records of the next request: one, or many if many wait and the server is there. */
  #takeNext(): readonly QueuedRecord[] {
    if (this.#pause.isAway) return [this.#line.take()!];
    return this.#batchSize.takeFrom(this.#line, () => this.#giveUpOld());
  }

  #canStart(): boolean {
    if (!this.#pause.isAway) {
      // Urgent records leave the line's places free. Otherwise a steady stream of them would hold it up
      // forever.
      const inLine = [...this.#flights].filter(({ isUrgent }) => !isUrgent).length;
      return inLine < this.#options.concurrency;
    }
    const isProbing = [...this.#flights].some((flight) => flight.wave === this.#pause.wave);
    return !isProbing && this.#pause.remainingMs === 0;
  }

  #startUrgent(record: QueuedRecord): void {
    const most = Math.max(maxUrgent, this.#options.concurrency);
    if (this.#isStopped) this.#options.onEnd(record, { kind: 'dropped', fault: closedFault() });
    else if (!this.#pause.isAway && this.#flights.size < most) this.#start([record], { isUrgent: true });
    else {
      this.#line.giveBack(record);
      this.#pump();
    }
  }

  #start(records: readonly QueuedRecord[], options: { isUrgent: boolean }): void {
    this.#carry(records, options).catch((cause) => {
      const message = 'Expected to send the record, got an exception: this is a bug in the SDK.';
      this.#options.onFault({ kind: 'unexpected', message, records: records.length, cause });
    });
  }

  async #carry(records: readonly QueuedRecord[], { isUrgent }: { isUrgent: boolean }): Promise<void> {
    const { disk, onRetry } = this.#options;
    const startedAt = this.#clock.now();
    const aborter = new AbortController();
    const startedMs = this.#clock.monotonicMs();
    const flight = { records, startedAt, startedMs, wave: this.#pause.wave, isUrgent, aborter };
    this.#flights.add(flight);
    for (const record of records) {
      if (record.attempts > 0) onRetry();
      record.attempts += 1;
      dateRecord(record, this.#clock);
    }
    if (disk !== undefined) {
      for (const record of records)
        if (record.uncertainSince === undefined) disk.noteTry(record.key, startedAt, record.occurredAt);
      await disk.written();
      // If the disk hangs, the record has been put back in the queue in the meantime, or given up.
      if (!this.#flights.has(flight)) return;
    }
    const outcome = await this.#send(flight).catch(() => this.#timeoutOf(flight));
    if (outcome === 'one-by-one') this.#takeApart(flight);
    else this.#land(flight, outcome);
    this.#pump();
  }

  async #send({ records, aborter }: Flight): Promise<BatchOutcome> {
    const { send, sendBatch } = this.#options;
    const [first, ...others] = records;
    if (others.length > 0) return await sendBatch(records, aborter.signal);
    return [await send(first!, aborter.signal)];
  }

  /** A batch was refused as a whole: its records wait again, each to be sent by itself. */
  #takeApart(flight: Flight): void {
    if (!this.#flights.delete(flight)) return;
    this.#batchSize.refused();
    for (const record of flight.records) {
      record.attempts -= 1;
      if (this.#isStopped) this.#options.onEnd(record, { kind: 'dropped', fault: closedFault() });
      else {
        if (record.uncertainSince === undefined) this.#options.disk?.noteUntried(record.key);
        this.#line.giveBack(record);
      }
    }
  }

  #timeoutOf({ records }: Flight): Attempt[] {
    return records.map(() => judgeTimeout(this.#options.timeoutMs));
  }

  #land(flight: Flight, attempts: readonly Attempt[]): void {
    if (!this.#flights.delete(flight)) return;
    const { records, wave, startedAt, startedMs } = flight;
    if (!attempts.every(({ isUncertain }) => isUncertain)) this.#batchSize.answered();
    else if (records.length > 1) this.#batchSize.unanswered();
    const verdicts = records.map((record, at) => {
      const attempt = attempts[at]!;
      if (attempt.isUncertain) record.uncertainSince ??= { now: startedAt, monotonicMs: startedMs };
      return judgeAttempt(attempt, record);
    });
    // Those that have to wait are next in line, so one of them is enough for a pause.
    const away = verdicts.filter(({ isServerThere }) => !isServerThere);
    if (away.length === 0) this.#pause.succeeded(wave);
    else this.#pause.failed(wave, Math.max(...away.map(({ waitAtLeastMs }) => waitAtLeastMs)));
    for (const [at, record] of records.entries()) this.#settle(record, verdicts[at]!);
  }

  #settle(record: QueuedRecord, verdict: Verdict): void {
    const { onEnd, onFault, disk } = this.#options;
    if (verdict.end !== undefined) onEnd(record, verdict.end);
    else if (this.#isStopped) onEnd(record, { kind: 'dropped', fault: closedFault() });
    else {
      if (record.uncertainSince === undefined) disk?.noteUntried(record.key);
      onFault(verdict.fault);
      this.#putBack(record);
    }
  }

  #putBack(record: QueuedRecord): void {
    record.failures += 1;
    if (!this.#pause.isEnoughFor(record.failures)) {
      this.#line.giveBack(record);
      return;
    }
    record.failures = 0;
    record.order = this.#takeOrder();
    this.#line.push(record);
  }

  #endLostFlights(): void {
    const latestMs = this.#clock.monotonicMs() - this.#options.timeoutMs - graceMs;
    for (const flight of [...this.#flights]) {
      if (flight.startedMs <= latestMs) this.#land(flight, this.#timeoutOf(flight));
    }
  }

  /**
   * Gives up old records. The oldest are in front, except for a few that are checked when their turn comes.
   */
  #giveUpOld(): void {
    for (let record = this.#line.peek(); record !== undefined; record = this.#line.peek()) {
      const reason = reasonToGiveUp(record, this.#options.maxAgeMs, this.#clock);
      if (reason === undefined) return;
      this.#line.take();
      this.#options.onEnd(record, { kind: 'dropped', fault: giveUpFault(reason) });
    }
  }
}
