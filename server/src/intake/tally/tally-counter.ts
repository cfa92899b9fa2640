import { addNumber, type Range } from '../../control/tally/number-ranges.ts';
import { highestOf, settleBelow, settleLowest, uniteNumbers } from '../../control/tally/seen-numbers.ts';
import type {
  Outcome,
  RefusedShape,
  TallyCount,
  TallyNumbers,
  TallyPlace,
  TallyRefusal,
  TallyRows,
} from '../../control/tally/tally-rows.ts';
import type { Sequence } from './sequence.ts';

/** Something that was sent, and what became of it. */
export type Arrival = TallyPlace & {
  outcome: Exclude<Outcome, 'missing'>;
  sequence?: Pick<Sequence, 'stream' | 'number'> | undefined;
  /** Whether earlier numbers of its stream may have been counted without their numbers. */
  isFromHere?: boolean;
  /** Why it was refused. */
  shape?: RefusedShape | undefined;
};

/** Adds up what arrived, by website, hour, key and release. */
export class TallyCounter {
  readonly #counts = new Map<string, TallyCount>();
  readonly #refusals = new Map<string, TallyRefusal>();
  readonly #numbers = new Map<string, TallyNumbers>();
  /** Where the last record of each website was counted: the next one is nearly always counted there too. */
  readonly #last = new Map<number, TallyCount>();

  /** Counts an accepted record without a number. Every record comes by here. */
  addAccepted(websiteId: number, hour: number, key: string, release: string): void {
    const last = this.#last.get(websiteId);
    if (last !== undefined && last.hour === hour && last.key === key && last.release === release) {
      last.records += 1;
      return;
    }
    const place = { websiteId, hour, key, release };
    this.#last.set(websiteId, this.#add({ ...place, outcome: 'accepted', isNumbered: false, records: 1 }));
  }

  add({ outcome, sequence, isFromHere, shape, ...place }: Arrival): void {
    if (shape !== undefined) this.#addRefusal({ ...place, ...shape, records: 1 });
    if (sequence === undefined) {
      this.#add({ ...place, outcome, isNumbered: false, records: 1 });
      return;
    }
    const row = this.#numbersOf({ ...place, stream: sequence.stream }, sequence.number);
    row.arrivals += 1;
    const ranges = (row.numbers[outcome] ?? []) as Range[];
    addNumber(ranges, sequence.number);
    row.numbers[outcome] = ranges;
    if (isFromHere === true) row.numbers = settleBelow(row.numbers);
    this.#settle(row);
  }

  /** Adds what was counted elsewhere. */
  merge({ counts, refusals, numbers }: TallyRows): void {
    for (const count of counts) this.#add({ ...count });
    for (const refusal of refusals) this.#addRefusal({ ...refusal });
    for (const { arrivals, numbers: seen, ...of } of numbers) {
      const own = this.#numbersOf(of, highestOf(seen));
      own.arrivals += arrivals;
      own.numbers = uniteNumbers(own.numbers, seen);
      this.#settle(own);
    }
  }

  /** Returns what was counted, or undefined if nothing was. */
  rows(): TallyRows | undefined {
    if (this.#counts.size + this.#refusals.size + this.#numbers.size === 0) return undefined;
    return {
      counts: [...this.#counts.values()],
      refusals: [...this.#refusals.values()],
      numbers: [...this.#numbers.values()],
    };
  }

  clear(): void {
    this.#counts.clear();
    this.#refusals.clear();
    this.#numbers.clear();
    this.#last.clear();
  }

  #add(count: TallyCount): TallyCount {
    const { websiteId, hour, key, release, outcome, isNumbered } = count;
    const name = `${websiteId} ${hour} ${key} ${outcome} ${isNumbered} ${release}`;
    const known = this.#counts.get(name);
    if (known === undefined) this.#counts.set(name, count);
    else known.records += count.records;
    return known ?? count;
  }

  #addRefusal(refusal: TallyRefusal): void {
    const { records, ...of } = refusal;
    const { websiteId, hour, key, release, code, field, expected, got } = of;
    const name = JSON.stringify([websiteId, hour, key, release, code, field, expected, got]);
    const known = this.#refusals.get(name);
    if (known === undefined) this.#refusals.set(name, refusal);
    else known.records += records;
  }

  /** Keeps a row small, however many gaps its numbers have. */
  #settle(row: TallyNumbers): void {
    const { websiteId, hour, key, release } = row;
    const { left, settled } = settleLowest(row.numbers);
    row.numbers = left;
    for (const [outcome, records] of settled) {
      this.#add({ websiteId, hour, key, release, outcome, isNumbered: false, records });
      row.arrivals -= records;
    }
  }

  /** Returns the row of a stream, to which numbers up to the highest one are about to be added. */
  #numbersOf(of: TallyPlace & { stream: string }, highest: number): TallyNumbers {
    const { websiteId, hour, key, release, stream } = of;
    const name = `${websiteId} ${hour} ${stream}`;
    const known = this.#numbers.get(name);
    if (known !== undefined) {
      if (highest > highestOf(known.numbers)) {
        known.key = key;
        known.release = release;
      }
      return known;
    }
    const created: TallyNumbers = { ...of, arrivals: 0, numbers: {} };
    this.#numbers.set(name, created);
    return created;
  }
}
