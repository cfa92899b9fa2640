import assert from 'node:assert';
import { createTailReader, readPayloadStart, toMs } from '../journal/payload-start.ts';
import type { WantedRow } from '../records/wanted-row.ts';

/** A payload in the bytes that were read with it. `end` isn't included. */
export type PayloadBytes = { bytes: Buffer; start: number; end: number };

/**
 * Payloads have begun like this since the first version, so the visitor can be read without parsing all of
 * it.
 */
const usualStart = ['day', 'website_id', 'received_at', 'local_at', 'kind', 'visitor_id'];
const visitorShape = /^\["[\d-]{10}",\d+,"[\d-]{10} [\d:.]{12}","[\d-]{10} [\d:]{8}","[a-z_]+","(\d{1,20})"/;
/** Longer than anything that the pattern can match. */
const visitorWithinBytes = 160;

/**
 * Called once, for the columns that this version writes. Older segments may have others, and are read more
 * slowly.
 */
export function assertVisitorIsFound(columns: readonly string[]): void {
  assert.deepEqual(
    columns.slice(0, usualStart.length),
    usualStart,
    'The visitor must be where it is looked for, or erased records would come back.',
  );
}

/**
 * Reads one row of the journal after the other into the same object. Thousands of rows are read each second,
 * and values that few of them need are read on demand. Valid until the next row is read.
 */
export class JournalRow implements WantedRow {
  websiteId = 0;
  day = '';
  /** `YYYY-MM-DD hh:mm:ss.mmm` in UTC. */
  receivedAt = '';
  readonly #isUsual: boolean;
  readonly #visitorColumn: number;
  readonly #readWaitedMs: ReturnType<typeof createTailReader>;
  #payload: PayloadBytes = { bytes: Buffer.alloc(0), start: 0, end: 0 };

  constructor(columns: readonly string[]) {
    this.#isUsual = usualStart.every((column, index) => columns[index] === column);
    this.#visitorColumn = columns.indexOf('visitor_id');
    this.#readWaitedMs = createTailReader(columns, 'waited_ms');
  }

  read(payload: PayloadBytes): void {
    this.#payload = payload;
    const { day, websiteId, receivedAt } = readPayloadStart(payload);
    this.day = day;
    this.websiteId = websiteId;
    this.receivedAt = receivedAt;
  }

  get visitorId(): string {
    const { bytes, start, end } = this.#payload;
    if (this.#isUsual) {
      const text = bytes.toString('latin1', start, Math.min(end, start + visitorWithinBytes));
      const found = visitorShape.exec(text);
      if (found !== null) return found[1]!;
    }
    return String(JSON.parse(bytes.toString('utf8', start, end))[this.#visitorColumn] ?? '');
  }

  get receivedAtMs(): number {
    return toMs(this.receivedAt);
  }

  get occurredAtMs(): number {
    return this.receivedAtMs - (this.#readWaitedMs?.(this.#payload) ?? 0);
  }
}
