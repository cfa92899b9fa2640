import { type Amount, isSameAmount, type WebsiteDay } from './list-contents.ts';

/** A day on which batches have to be compared. An empty list of websites means all of them. */
export type ComparedDay = { day: string; websites: number[] };

export type MonthPlan = {
  /** Days of websites of which the other store has nothing, in the order in which the store keeps them. */
  newDays: WebsiteDay[];
  /** All other days that differ. */
  comparedDays: ComparedDay[];
  /** How many records the stores differ by. */
  records: number;
};

/**
 * Finds what has to be done so that a month of one store has the records that the other one has. A day that
 * still gets records is always compared by batches, over all websites: if a part of a batch were copied now
 * and the rest later, its first part would have to be deleted again.
 */
export function planMonth(
  from: readonly WebsiteDay[],
  to: readonly WebsiteDay[],
  { openFrom, maxNewRecords }: { openFrom: string; maxNewRecords: number },
): MonthPlan {
  const keyOf = ({ websiteId, day }: WebsiteDay) => `${websiteId} ${day}`;
  const there = new Map<string, Amount>(to.map((one) => [keyOf(one), one]));
  const newDays: WebsiteDay[] = [];
  const compared = new Map<string, Set<number>>();
  let records = 0;
  const compare = ({ websiteId, day }: WebsiteDay) => {
    compared.set(day, (compared.get(day) ?? new Set()).add(websiteId));
  };
  for (const one of from) {
    const other = there.get(keyOf(one));
    there.delete(keyOf(one));
    if (isSameAmount(one, other)) continue;
    records += Math.max(1, Math.abs(one.records - (other?.records ?? 0)));
    const isNew = other === undefined && one.day < openFrom && one.records <= maxNewRecords;
    if (isNew) newDays.push(one);
    else compare(one);
  }
  const surplus = new Set(there.keys());
  for (const one of to) {
    if (!surplus.has(keyOf(one))) continue;
    records += one.records;
    compare(one);
  }
  const comparedDays = [...compared]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, websites]) => ({ day, websites: day < openFrom ? [...websites] : [] }));
  return { newDays, comparedDays, records };
}
