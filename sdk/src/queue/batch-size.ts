import { maxBatchRecords } from '@trackside/contract/tracking/body-sizes.ts';
import type { Clock } from '../time/clock.ts';

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

  /** How many of so many waiting records may be sent together. */
  for(waiting: number): number {
    const isOneByOne = this.#clock.monotonicMs() < this.#oneByOneUntilMs;
    if (isOneByOne || waiting < fewestRecords || this.#most < fewestRecords) return 1;
    return Math.min(waiting, this.#most);
  }

  /** Whether another record fits into a request that has these characters. */
  hasRoom(characters: number, body: string): boolean {
    return characters + body.length <= maxCharacters;
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
