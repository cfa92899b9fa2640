import type { QueuedRecord } from './queued-record.ts';

/**
 * The waiting records in order of arrival. A record that comes back from a failed attempt gets its old place.
 */
export class RecordLine {
  #waiting: QueuedRecord[] = [];
  #head = 0;
  /** Few records, all older than those that wait. */
  #returned: QueuedRecord[] = [];

  get length(): number {
    return this.#returned.length + this.#waiting.length - this.#head;
  }

  push(record: QueuedRecord): void {
    this.#waiting.push(record);
  }

  giveBack(record: QueuedRecord): void {
    const index = this.#returned.findIndex((other) => other.order > record.order);
    this.#returned.splice(index < 0 ? this.#returned.length : index, 0, record);
  }

  peek(): QueuedRecord | undefined {
    return this.#returned[0] ?? this.#waiting[this.#head];
  }

  take(): QueuedRecord | undefined {
    const returned = this.#returned.shift();
    if (returned !== undefined) return returned;
    const record = this.#waiting[this.#head];
    if (record === undefined) return undefined;
    this.#head += 1;
    // Cut off in large pieces, because shifting a long array for each record takes too long.
    if (this.#head >= 1000 && this.#head * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return record;
  }
}
