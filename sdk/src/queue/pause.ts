import { backoffMs } from '../sending/backoff.ts';
import type { Clock } from '../time/clock.ts';

const longestAskedMs = 5 * 60_000;
const firstPatience = 3;
const mostPatience = 24;

/** What the queue knows about the server: there, or away and not to be asked before a certain time. */
export class Pause {
  #clock: Clock;
  #isAway = false;
  #failures = 0;
  #resumeAtMs = 0;
  #patience = firstPatience;
  /** Changes with each failure that counts, so that requests at the same moment count as one failure. */
  #wave = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the server is away. Then one record at a time is sent as a probe. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Remembered by a request that starts now. */
  get wave(): number {
    return this.#wave;
  }

  get remainingMs(): number {
    return Math.max(0, this.#resumeAtMs - this.#clock.monotonicMs());
  }

  failed(wave: number, waitAtLeastMs: number): void {
    if (wave !== this.#wave) return;
    this.#wave += 1;
    this.#isAway = true;
    this.#failures += 1;
    const askedMs = Math.min(waitAtLeastMs, longestAskedMs);
    const delayMs = askedMs + backoffMs(this.#failures, this.#clock.random);
    this.#resumeAtMs = this.#clock.monotonicMs() + delayMs;
  }

  /**
   * Notes an answer. An answer to a request from before the last failure says nothing about the current
   * state.
   */
  succeeded(wave: number): void {
    if (wave !== this.#wave) return;
    this.#isAway = false;
    this.#failures = 0;
    this.#resumeAtMs = 0;
    this.#patience = firstPatience;
  }

  /** Ends the pause, for a caller who cannot wait for it. */
  cutShort(): void {
    this.#failures = 0;
    this.#resumeAtMs = 0;
  }

  /**
   * Returns whether another record should be tried, because this one may be at fault. If others fail too, the
   * rest wait for longer, because each record that fails may have to be given up later.
   */
  isEnoughFor(failures: number): boolean {
    if (failures < this.#patience) return false;
    this.#patience = Math.min(mostPatience, this.#patience * 2);
    return true;
  }
}
