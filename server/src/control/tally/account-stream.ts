import { cut, type Range, type Ranges, sizeOf, subtract, unite } from './number-ranges.ts';
import { highestOf } from './seen-numbers.ts';
import { takeOnce } from './take-once.ts';
import { type Outcome, outcomesOfNumbers, type TallyNumbers } from './tally-rows.ts';

/** A row of a stream: the numbers that one node saw in one hour. */
export type StreamRow = Pick<TallyNumbers, 'hour' | 'key' | 'release' | 'arrivals' | 'numbers'>;

/** The numbers that belong to an hour: all above the highest one before, up to the highest one of the hour. */
type Span = { hour: number; from: number; to: number; key: string; release: string };

export type StreamAccount = {
  counts: { hour: number; key: string; release: string; outcome: Outcome; records: number }[];
  /** The numbers that have not arrived, by the hour that they belong to. They are in no count. */
  gaps: (Span & { records: number })[];
  /** What is left of each row, once the numbers up to the end of an hour were counted for good. */
  leftOf(row: StreamRow, foldedTo: number): Pick<StreamRow, 'arrivals' | 'numbers'>;
  /** The highest number that was known at the end of an hour. */
  highestAt(hour: number): number;
};

/** A larger jump is no loss: the sender has begun to count from another number. */
const longestGap = 1_000_000;

/**
 * Finds out what became of the numbers of a stream, from the rows of all nodes. Each number belongs to the hour
 * in which a number as high was first seen, whenever it arrived itself. If it arrived several times, the best
 * outcome counts, and the other arrivals are repeats. `foldedTo` is the highest number that was counted for
 * good before.
 */
export function accountStream(rows: readonly StreamRow[], foldedTo: number): StreamAccount {
  const inOrder = rows.toSorted((a, b) => a.hour - b.hour);
  const numbersOf = ({ numbers }: StreamRow): Range[] =>
    outcomesOfNumbers.flatMap((outcome) => numbers[outcome] ?? []);
  const all = inOrder.flatMap(numbersOf);
  const spans: Span[] = [];
  const counts: StreamAccount['counts'] = [];
  const fresh = new Map<StreamRow, Ranges>();
  let highest = foldedTo;
  const takeUnseen = takeOnce(all);
  for (const row of inOrder) {
    const { hour, key, release, arrivals } = row;
    const first = takeUnseen(unite(numbersOf(row)));
    fresh.set(row, first);
    const repeated = arrivals - sizeOf(first);
    if (repeated > 0) counts.push({ hour, key, release, outcome: 'repeated', records: repeated });
    const to = highestOf(row.numbers);
    if (to <= highest) continue;
    const last = spans.at(-1);
    // The one with the highest number stands for all numbers of the hour.
    if (last?.hour === hour) Object.assign(last, { to, key, release });
    else spans.push({ hour, from: highest + 1, to, key, release });
    highest = to;
  }
  const takeUncounted = takeOnce(all);
  for (const outcome of outcomesOfNumbers)
    for (const { key, release, numbers } of inOrder)
      for (const [{ hour }, records] of bySpan(takeUncounted(numbers[outcome] ?? []), spans))
        counts.push({ hour, key, release, outcome, records });
  const settled = inOrder.flatMap(({ numbers }) => numbers.settled ?? []);
  const known = unite(all, settled, foldedTo > 0 ? [[1, foldedTo]] : []);
  const gaps = spans.flatMap((span) =>
    subtract([[span.from, span.to]], known)
      .filter(([from, to]) => to - from < longestGap)
      .map(([from, to]) => ({ ...span, from, to, records: to - from + 1 })),
  );
  return {
    counts,
    gaps,
    leftOf: (row, upTo) => {
      const first = fresh.get(row)!;
      const above = (ranges: Ranges): Range[] => cut(ranges, upTo + 1, Number.MAX_SAFE_INTEGER);
      const numbers = Object.fromEntries(
        Object.entries(row.numbers).map(([kind, ranges]) => [kind, above(ranges)]),
      );
      return { arrivals: row.arrivals - sizeOf(first) + sizeOf(above(first)), numbers };
    },
    highestAt: (hour) => spans.findLast((span) => span.hour <= hour)?.to ?? foldedTo,
  };
}

/** Counts how many numbers of a set are in each span. */
function* bySpan(ranges: Ranges, spans: readonly Span[]): Generator<[Span, number]> {
  let at = 0;
  let records = 0;
  for (const [from, to] of ranges)
    while (at < spans.length && spans[at]!.from <= to) {
      const span = spans[at]!;
      records += Math.max(0, Math.min(to, span.to) - Math.max(from, span.from) + 1);
      if (span.to >= to) break;
      if (records > 0) yield [span, records];
      records = 0;
      at += 1;
    }
  if (records > 0) yield [spans[at]!, records];
}
