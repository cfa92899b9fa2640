import { maxBatchRecords } from '@trackside/contract/tracking/body-sizes.ts';
import type { Clock } from '../time/clock.ts';
import type { QueuedRecord } from './queued-record.ts';
import type { RecordLine } from './record-line.ts';

/** If fewer records wait, each is sent by itself. */
const fewestRecords = 6;
/** Below what common proxies let through. */
const maxCharacters = 512 * 1024;
/** How long no batch is tried after the server, or something in front of it, has refused one. */
const oneByOneMs = 10 * 60_000;
const shrinkTo = 1 / 4;

/** How many of the waiting records are sent in one request. */
export class BatchSize {
  #clock: Clock;
  #most = maxBatchRecords;
  #oneByOneUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the records of the next request. `beforeEach` may remove others that are in front. */
  takeFrom(line: RecordLine, beforeEach: () => void): readonly QueuedRecord[] {
    const most = this.#mostOf(line.length);
    const first = line.take()!;
    const records = [first];
    let characters = first.body.length;
    while (records.length < most) {
      beforeEach();
      const next = line.peek();
      if (next === undefined || characters + next.body.length > maxCharacters) break;
      records.push(line.take()!);
      characters += next.body.length;
    }
    return records;
  }

  #mostOf(waiting: number): number {
    const isOneByOne = this.#clock.monotonicMs() < this.#oneByOneUntilMs;
    return isOneByOne || Math.min(waiting, this.#most) < fewestRecords ? 1 : this.#most;
  }

  /** A request was answered. */
  answered(): void {
    this.#most = Math.min(maxBatchRecords, this.#most * 2);
  }

  /** A batch was not answered in time. It may have been too large for the connection. */
  unanswered(): void {
    this.#most = Math.max(1, Math.floor(this.#most * shrinkTo));
  }

  /** The server takes no batches. It may after an update. */
  refused(): void {
    this.#oneByOneUntilMs = this.#clock.monotonicMs() + oneByOneMs;
  }
}
