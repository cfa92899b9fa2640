import type { FaultTeller } from '../faults/fault-teller.ts';
import type { TrackFault } from '../faults/track-fault.ts';
import type { TrackRecord } from '../record/record.ts';
import type { Clock } from '../time/clock.ts';
import { closedFault, exitFault, lateFault } from './closed-fault.ts';
import type { DiskKeep } from './disk-keep.ts';
import { atExit, beforeExit } from './exit-list.ts';
import type { RecordEnd } from './judge-attempt.ts';
import { makeQueued, makeQueuedAgain } from './make-queued.ts';
import type { QueuedRecord } from './queued-record.ts';
import { type CourierOptions, RecordCourier } from './record-courier.ts';

export type RecordQueueOptions = {
  send: CourierOptions['send'];
  sendBatch: CourierOptions['sendBatch'];
  clock: Clock;
  teller: FaultTeller;
  counts: RecordCounts;
  /** The timeout of one attempt. */
  timeoutMs: number;
  maxRecords: number;
  maxBytes: number;
  maxAgeMs: number;
  concurrency: number;
  disk: DiskKeep | undefined;
};

export type RecordCounts = { accepted: number; refused: number; dropped: number; retried: number };

const claimIntervalMs = 60_000;
const exitFlushMs = 5000;

/** Holds records until they are delivered, up to a limit, and also on disk if there is a disk queue. */
export class RecordQueue {
  #options: RecordQueueOptions;
  #courier: RecordCourier;
  #waiting = new Set<QueuedRecord>();
  /** What close() has left, on disk or not. */
  #left: QueuedRecord[] = [];
  #bytes = 0;
  #isClaiming = false;
  #isClosed = false;
  #hasTriedAtExit = false;
  #closing: Promise<{ remaining: number }> | undefined;
  #stopClaimTimer = () => {};
  #waitingForEmpty = new Set<() => void>();

  constructor(options: RecordQueueOptions) {
    const { send, sendBatch, clock, disk, timeoutMs, maxAgeMs, concurrency, counts, teller } = options;
    this.#options = options;
    this.#courier = new RecordCourier({
      send,
      sendBatch,
      clock,
      disk,
      timeoutMs,
      maxAgeMs,
      concurrency,
      onRetry: () => {
        counts.retried += 1;
      },
      onEnd: (record, end) => this.#end(record, end),
      onFault: (fault) => teller.tell(fault),
    });
    if (disk === undefined) return;
    disk.open((fault) => teller.tell(fault));
    void this.#claim(disk);
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Adds a record. With `onSettled`, a caller is waiting for the record, so it skips the queue. */
  push(record: TrackRecord, onSettled: (() => void) | undefined): void {
    const refusal = this.#findNoRoom(record);
    if (refusal !== undefined) {
      this.#options.counts.dropped += 1;
      this.#options.teller.tell(refusal);
      onSettled?.();
      return;
    }
    const { clock, disk } = this.#options;
    const queued = makeQueued(record, clock, onSettled);
    this.#enter(queued);
    disk?.add(record, clock.now());
    if (onSettled === undefined) this.#courier.add(queued);
    else this.#courier.addUrgent(queued);
  }

  /** Resolves when everything is sent, or when the time is up. Does not wait for a pause to end. */
  async flush(withinMs: number): Promise<{ remaining: number }> {
    this.#courier.hurry();
    await this.#untilEmpty(withinMs);
    await this.#options.disk?.written();
    this.#options.teller.tellRest();
    return { remaining: this.size };
  }

  close(withinMs: number): Promise<{ remaining: number }> {
    this.#closing ??= this.#close(withinMs);
    return this.#closing;
  }

  /** Flushes once when the program is about to end. If the server is away, the program must end anyway. */
  #finish = () => {
    if (this.#hasTriedAtExit) return;
    this.#hasTriedAtExit = true;
    void this.#flushAtExit();
  };

  async #flushAtExit(): Promise<void> {
    await this.flush(exitFlushMs);
    this.#courier.letGo();
  }

  /** Reports what is lost, also when the program ends at once, by process.exit() or an exception. */
  #reportLost = () => {
    const { disk, teller } = this.#options;
    const lost = [...this.#waiting].filter(({ key }) => disk?.has(key) !== true);
    if (lost.length > 0) teller.tell(exitFault(lost.length));
    teller.tellRest();
  };

  #heedExit(): void {
    beforeExit.add(this.#finish);
    atExit.add(this.#reportLost);
  }

  #ignoreExit(): void {
    beforeExit.remove(this.#finish);
    atExit.remove(this.#reportLost);
  }

  async #close(withinMs: number): Promise<{ remaining: number }> {
    const { remaining } = await this.flush(withinMs);
    const { disk, teller } = this.#options;
    this.#isClosed = true;
    this.#stopClaimTimer();
    this.#ignoreExit();
    this.#left = this.#courier.stop();
    await this.#untilNextTurn();
    await disk?.close();
    const lost = this.#left.filter(({ key }) => disk?.has(key) !== true);
    for (const record of lost) this.#leave(record, 'dropped');
    if (lost.length > 0) teller.tell(closedFault(lost.length));
    teller.tellRest();
    return { remaining };
  }

  #findNoRoom({ body }: TrackRecord): TrackFault | undefined {
    const { maxRecords, maxBytes } = this.#options;
    if (this.#isClosed) return lateFault;
    if (this.size < maxRecords && this.#bytes + body.length <= maxBytes) return undefined;
    const message =
      `Expected room in the queue, got ${maxRecords} records or ${maxBytes} bytes already waiting: ` +
      'find out why they are not being sent, or raise queue.maxRecords and queue.maxBytes.';
    return { kind: 'queue-full', message, records: 1 };
  }

  #enter(record: QueuedRecord): void {
    this.#waiting.add(record);
    this.#bytes += record.body.length;
    this.#hasTriedAtExit = false;
    this.#heedExit();
  }

  #end(record: QueuedRecord, end: RecordEnd): void {
    const { disk, teller } = this.#options;
    // Left over by close(), but safe on disk: the process that claims it will send it.
    if (this.#isClosed && end.kind === 'dropped' && disk?.has(record.key) === true) {
      this.#left.push(record);
      return;
    }
    if (end.kind !== 'accepted') teller.tell(end.fault);
    this.#leave(record, end.kind);
  }

  #leave(record: QueuedRecord, end: RecordEnd['kind']): void {
    const { counts, disk } = this.#options;
    counts[end] += 1;
    disk?.noteDone(record.key);
    this.#waiting.delete(record);
    this.#bytes -= record.body.length;
    record.onSettled?.();
    this.#announceEmpty();
  }

  #isEmpty(): boolean {
    return this.size === 0 && !this.#isClaiming;
  }

  #announceEmpty(): void {
    if (!this.#isEmpty()) return;
    this.#ignoreExit();
    for (const resolve of this.#waitingForEmpty) resolve();
  }

  async #untilEmpty(withinMs: number): Promise<void> {
    if (this.#isEmpty()) return;
    let leave = () => {};
    await new Promise<void>((resolve) => {
      this.#waitingForEmpty.add(resolve);
      const stopTimer = this.#options.clock.startTimer(withinMs, resolve, { keepsAlive: true });
      leave = () => {
        stopTimer();
        this.#waitingForEmpty.delete(resolve);
      };
    });
    leave();
  }

  /** Lets the requests settle that were just ended. */
  #untilNextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.startTimer(0, resolve, { keepsAlive: true });
    });
  }

  /** Claims records at the start, and from time to time those that other processes leave later. */
  async #claim(disk: DiskKeep): Promise<void> {
    const { clock, maxRecords } = this.#options;
    this.#isClaiming = true;
    const kept = await disk.claim(Math.max(0, maxRecords - this.size));
    this.#isClaiming = false;
    if (this.#isClosed) return;
    for (const record of kept) {
      const queued = makeQueuedAgain(record, clock);
      this.#enter(queued);
      this.#courier.add(queued);
    }
    this.#announceEmpty();
    const claimAgain = () => void this.#claim(disk);
    this.#stopClaimTimer = clock.startTimer(claimIntervalMs, claimAgain, { keepsAlive: false });
  }
}
