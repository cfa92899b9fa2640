import type { Attempt } from '../faults/result.ts';
import type { TrackFault } from '../faults/track-fault.ts';
import type { TrackRecord } from '../record/record.ts';
import { judgeTimeout } from '../sending/judge-network-fault.ts';
import type { Clock } from '../time/clock.ts';
import { closedFault } from './closed-fault.ts';
import type { DiskKeep } from './disk-keep.ts';
import { giveUpFault, reasonToGiveUp } from './give-up.ts';
import { judgeAttempt, type RecordEnd } from './judge-attempt.ts';
import { Pause } from './pause.ts';
import type { QueuedRecord } from './queued-record.ts';
import { RecordLine } from './record-line.ts';

export type CourierOptions = {
  /** The signal ends the attempt early, when nobody can wait for it anymore. */
  send: (record: TrackRecord & { attempts: number }, signal: AbortSignal) => Promise<Attempt>;
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
  record: QueuedRecord;
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
      this.#start(this.#line.take()!, { isUrgent: false });
      this.#giveUpOld();
    }
    if (this.#line.length === 0) return;
    // The end of a request in progress continues from here, so the timer is only for a request that is lost.
    const delayMs = this.#pause.remainingMs || this.#options.timeoutMs + graceMs;
    this.#stopResumeTimer = this.#clock.startTimer(delayMs, () => this.#pump(), { keepsAlive: false });
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
    else if (!this.#pause.isAway && this.#flights.size < most) this.#start(record, { isUrgent: true });
    else {
      this.#line.giveBack(record);
      this.#pump();
    }
  }

  #start(record: QueuedRecord, options: { isUrgent: boolean }): void {
    this.#carry(record, options).catch((cause) => {
      const message = 'Expected to send the record, got an exception: this is a bug in the SDK.';
      this.#options.onFault({ kind: 'unexpected', message, records: 1, cause });
    });
  }

  async #carry(record: QueuedRecord, { isUrgent }: { isUrgent: boolean }): Promise<void> {
    const { disk, send, onRetry } = this.#options;
    const startedAt = this.#clock.now();
    const aborter = new AbortController();
    const startedMs = this.#clock.monotonicMs();
    const flight = { record, startedAt, startedMs, wave: this.#pause.wave, isUrgent, aborter };
    this.#flights.add(flight);
    if (record.attempts > 0) onRetry();
    record.attempts += 1;
    if (disk !== undefined) {
      if (record.uncertainSince === undefined) disk.noteTry(record.key, startedAt);
      await disk.written();
      // If the disk hangs, the record has been put back in the queue in the meantime, or given up.
      if (!this.#flights.has(flight)) return;
    }
    const attempt = await send(record, aborter.signal).catch(() => judgeTimeout(this.#options.timeoutMs));
    this.#land(flight, attempt);
    this.#pump();
  }

  #land(flight: Flight, attempt: Attempt): void {
    if (!this.#flights.delete(flight)) return;
    const { record, wave, startedAt, startedMs } = flight;
    const { onEnd, onFault, disk } = this.#options;
    if (attempt.isUncertain) record.uncertainSince ??= { now: startedAt, monotonicMs: startedMs };
    const verdict = judgeAttempt(attempt, record);
    if (verdict.isServerThere) this.#pause.succeeded(wave);
    else this.#pause.failed(wave, verdict.waitAtLeastMs);
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
      if (flight.startedMs <= latestMs) this.#land(flight, judgeTimeout(this.#options.timeoutMs));
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
