import type { JournalPosition } from '../records/journal-position.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { StoredKey } from '../store/list-keys.ts';
import type { Batch } from './ledger-lines.ts';
import { type Gap, monthOf, rangeOf, readRows, type SegmentStretch } from './read-rows.ts';

/**
 * How many records the journal has of a batch in one month, and how many of them the store lacks or has too
 * often.
 */
export type Tally = { wanted: number; unwanted: number; missing: number; surplus: number };

/** This many keys are compared at once, which is an answer of a few megabytes. */
const comparedRows = 100_000;

type Minute = { keys: number[]; owners: number[]; days: Set<string> };

/** The owners of records that aren't in a batch: those that wait to be loaded, and all others. */
const [waiting, unowned] = [0, 1];

/**
 * The keys of all records in the journal, by the minute of their receipt. Each key is a number, so that
 * millions fit in memory. Records that aren't in a batch yet may be in the store, but not more often than
 * here.
 */
export class JournalKeys {
  readonly #minutes = new Map<number, Minute>();
  readonly #owners: (Tally | undefined)[] = [undefined, undefined];
  readonly #tallies = new Map<string, number>();
  readonly #isWaiting: (end: JournalPosition) => boolean;
  #waitingRows = 0;

  /** `isWaiting` says whether a record that ends there and isn't in a batch waits to be loaded. */
  constructor(isWaiting: (end: JournalPosition) => boolean) {
    this.#isWaiting = isWaiting;
  }

  /** Adds the records of a segment, and returns the parts that can't be read. */
  async add(
    folder: string,
    segment: SegmentStretch,
    batches: readonly Batch[],
    isWanted: IsWanted,
  ): Promise<Gap[]> {
    const { rows, gaps } = await readRows(folder, segment, isWanted);
    let index = 0;
    for (const row of rows) {
      while (index < batches.length && batches[index]!.to < row.to) index += 1;
      const batch = batches[index];
      const owner =
        batch === undefined
          ? this.#ownerUnbatched({ segment: segment.number, offset: row.to })
          : this.#ownerOf(batch.batch, monthOf(row));
      const tally = this.#owners[owner];
      if (tally !== undefined) tally[row.isWanted ? 'wanted' : 'unwanted'] += 1;
      if (!row.isWanted) continue;
      const minute = this.#minutes.get(row.minute) ?? { keys: [], owners: [], days: new Set() };
      this.#minutes.set(row.minute, minute);
      minute.keys.push(row.key);
      minute.owners.push(owner);
      minute.days.add(row.day);
    }
    return gaps;
  }

  tallyOf(batch: number, month: string): Tally {
    return this.#owners[this.#ownerOf(batch, month)]!;
  }

  countUnwanted(): number {
    return this.#owners.reduce((sum, tally) => sum + (tally?.unwanted ?? 0), 0);
  }

  /** How many of the records that wait to be loaded are really not in the store. */
  countWaiting(): number {
    return this.#waitingRows;
  }

  /** The batches and months that differ. */
  differences(): { batch: number; month: string; tally: Tally }[] {
    return [...this.#tallies].flatMap(([name, owner]) => {
      const tally = this.#owners[owner]!;
      const [batch, month] = name.split(' ');
      if (tally.missing + tally.surplus === 0) return [];
      return [{ batch: Number(batch), month: month!, tally }];
    });
  }

  /** Looks up all keys in the store. */
  async compare(listKeys: (range: ReturnType<typeof rangeOf>) => Promise<StoredKey[]>): Promise<void> {
    let part: [number, Minute][] = [];
    let rows = 0;
    for (const entry of [...this.#minutes].sort(([a], [b]) => a - b)) {
      part.push(entry);
      rows += entry[1].keys.length;
      if (rows < comparedRows) continue;
      await this.#comparePart(part, listKeys);
      part = [];
      rows = 0;
    }
    if (part.length > 0) await this.#comparePart(part, listKeys);
  }

  async #comparePart(
    part: readonly [number, Minute][],
    listKeys: (range: ReturnType<typeof rangeOf>) => Promise<StoredKey[]>,
  ): Promise<void> {
    const days = part.flatMap(([minute, { days }]) => [...days].map((day) => ({ day, minute })));
    const found = new Map<number, number>();
    for (const { key, rows } of await listKeys(rangeOf(days))) found.set(key, (found.get(key) ?? 0) + rows);
    // Records that must be there are looked up first. Equal records are interchangeable.
    for (const isLoaded of [true, false]) {
      for (const [, { keys, owners }] of part) {
        for (const [index, key] of keys.entries()) {
          const tally = this.#owners[owners[index]!];
          if ((tally !== undefined) !== isLoaded) continue;
          const left = found.get(key) ?? 0;
          if (left > 0) found.set(key, left - 1);
          else if (tally !== undefined) tally.missing += 1;
          else if (owners[index] === waiting) this.#waitingRows += 1;
        }
      }
    }
    for (const [, { keys, owners }] of part) {
      for (const [index, key] of keys.entries()) {
        const left = found.get(key) ?? 0;
        if (left === 0) continue;
        this.#surplusOf(owners[index]!).surplus += left;
        found.set(key, 0);
      }
    }
  }

  #surplusOf(owner: number): Tally {
    return this.#owners[owner] ?? this.#owners[this.#ownerOf(0, '000000')]!;
  }

  #ownerUnbatched(end: JournalPosition): number {
    return this.#isWaiting(end) ? waiting : unowned;
  }

  #ownerOf(batch: number, month: string): number {
    const name = `${batch} ${month}`;
    const known = this.#tallies.get(name);
    if (known !== undefined) return known;
    this.#tallies.set(name, this.#owners.length);
    this.#owners.push({ wanted: 0, unwanted: 0, missing: 0, surplus: 0 });
    return this.#owners.length - 1;
  }
}
