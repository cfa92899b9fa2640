/** Numbers from the first to the last, both included. */
export type Range = readonly [from: number, to: number];

/** A set of numbers: ranges in order that neither overlap nor touch. */
export type Ranges = readonly Range[];

/** Adds one number to a set, in place. Senders count upwards, so it is nearly always the next one. */
export function addNumber(ranges: Range[], number: number): void {
  const last = ranges.at(-1);
  if (last === undefined || number > last[1] + 1) ranges.push([number, number]);
  else if (number === last[1] + 1) ranges[ranges.length - 1] = [last[0], number];
  else if (number < last[0]) {
    const at = ranges.findIndex(([, to]) => number <= to + 1);
    const [from, to] = ranges[at]!;
    if (number >= from && number <= to) return;
    const before = number === to + 1 ? ranges[at + 1] : undefined;
    if (before !== undefined && before[0] === number + 1) ranges.splice(at, 2, [from, before[1]]);
    else if (number === to + 1) ranges[at] = [from, number];
    else if (number === from - 1) ranges[at] = [number, to];
    else ranges.splice(at, 0, [number, number]);
  }
}

export function unite(...sets: readonly Ranges[]): Range[] {
  const united: Range[] = [];
  for (const [from, to] of sets.flat().sort((a, b) => a[0] - b[0])) {
    const last = united.at(-1);
    if (last !== undefined && from <= last[1] + 1) {
      if (to > last[1]) united[united.length - 1] = [last[0], to];
    } else united.push([from, to]);
  }
  return united;
}

/** Returns the numbers of a set that aren't in the other. */
export function subtract(ranges: Ranges, taken: Ranges): Range[] {
  const left: Range[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    let next = from;
    while (at < taken.length && taken[at]![1] < next) at += 1;
    for (let index = at; index < taken.length && taken[index]![0] <= to; index += 1) {
      if (taken[index]![0] > next) left.push([next, taken[index]![0] - 1]);
      next = taken[index]![1] + 1;
    }
    if (next <= to) left.push([next, to]);
  }
  return left;
}

/** Returns the numbers of a set from the first to the last. */
export function cut(ranges: Ranges, first: number, last: number): Range[] {
  return ranges
    .filter(([from, to]) => to >= first && from <= last)
    .map(([from, to]) => [Math.max(from, first), Math.min(to, last)]);
}

export function sizeOf(ranges: Ranges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}
