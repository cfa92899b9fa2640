import type { Received } from '../receipts/receipts.ts';
import { hashBytes, KeyTable, type Remembered } from './key-table.ts';

/** The shortest time for which a key is remembered. */
export const rememberedMs = 60 * 60 * 1000;

const rememberedSeconds = rememberedMs / 1000;
const tableSeconds = 600;
/**
 * A table holds at most this fraction (one seventh) of all keys, so that dropping a table forgets no more.
 */
const shares = 7;

/**
 * The keys of the last hour by their hashes, `maxKeys` at most. They are kept in tables of ten minutes, or
 * less when many keys come, so that forgetting means dropping the oldest table.
 */
export class KeyMemory {
  readonly #monotonicMs: () => number;
  readonly #maxKeys: number;
  readonly #maxKeysInTable: number;
  /** Newest first. */
  readonly #tables: KeyTable[] = [];

  constructor(options: { monotonicMs: () => number; maxKeys: number }) {
    this.#monotonicMs = options.monotonicMs;
    this.#maxKeys = options.maxKeys;
    this.#maxKeysInTable = Math.max(1, Math.floor(options.maxKeys / shares));
  }

  find(hash: Buffer): Remembered | undefined {
    const oldest = this.#second() - rememberedSeconds;
    for (const table of this.#tables) {
      const found = table.find(hash);
      if (found !== undefined) return found.second >= oldest ? found : undefined;
    }
    return undefined;
  }

  /** Remembers a key. Older keys must be remembered before newer ones. */
  remember(
    hash: Buffer,
    bodyCrc: number,
    { ageMs = 0, received }: { ageMs?: number; received?: Received | undefined } = {},
  ): void {
    let table = this.#tables[0];
    const second = Math.max(this.#second(ageMs), table?.lastSecond ?? Number.NEGATIVE_INFINITY);
    if (table === undefined || second >= table.firstSecond + tableSeconds || table.isFull()) {
      this.#makeRoom();
      table = new KeyTable({
        firstSecond: second,
        maxKeys: this.#maxKeysInTable,
        expectedKeys: this.#tables[0]?.size ?? 0,
      });
      this.#tables.unshift(table);
    }
    table.set(hash, { second, bodyCrc, received });
  }

  /** Returns how many keys are remembered. Forgets those that are too old, in steps of ten minutes. */
  size(): number {
    this.#forgetOld();
    return this.#tables.reduce((sum, table) => sum + table.size, 0);
  }

  /** Returns the hashes of all keys that are remembered, one after the other. */
  hashes(): Buffer {
    const oldest = this.#second() - rememberedSeconds;
    const all = Buffer.alloc(this.size() * hashBytes);
    const end = this.#tables.reduce((at, table) => table.copyHashes(all, at, oldest), 0);
    return all.subarray(0, end);
  }

  /** Makes room for one more table, which may become full. */
  #makeRoom(): void {
    const room = this.#maxKeys - this.#maxKeysInTable;
    for (let size = this.size(); size > room && this.#tables.length > 0; size = this.size())
      this.#tables.pop();
  }

  #forgetOld(): void {
    const oldest = this.#second() - rememberedSeconds;
    while (this.#tables.length > 0 && this.#tables.at(-1)!.lastSecond < oldest) this.#tables.pop();
  }

  #second(ageMs = 0): number {
    return Math.floor((this.#monotonicMs() - ageMs) / 1000);
  }
}
