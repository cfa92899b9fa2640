import { isSameAmount, listDays, listMonths } from '../../store/move/list-contents.ts';
import type { Sides } from './with-sides.ts';

export type ComparedRecords = {
  records: number;
  days: number;
  websites: { websiteId: number; days: number; records: number; copied: number }[];
  differences: { websiteId: number; day: string; records: number; copied: number }[];
};

/** Counts the records of each website and day on both sides, independently of what was copied. */
export async function compareSides(sides: Pick<Sides, 'from' | 'to'>): Promise<ComparedRecords> {
  const [from, to] = [sides.from.forMove(), sides.to.forMove()];
  const months = new Set([...(await listMonths(from)).keys(), ...(await listMonths(to)).keys()]);
  const websites = new Map<number, ComparedRecords['websites'][number]>();
  const compared: ComparedRecords = { records: 0, days: 0, websites: [], differences: [] };
  for (const month of months) {
    const here = new Map((await listDays(from, month)).map((one) => [`${one.websiteId} ${one.day}`, one]));
    const there = new Map((await listDays(to, month)).map((one) => [`${one.websiteId} ${one.day}`, one]));
    for (const key of new Set([...here.keys(), ...there.keys()])) {
      const [one, other] = [here.get(key), there.get(key)];
      const { websiteId, day } = (one ?? other)!;
      const [records, copied] = [one?.records ?? 0, other?.records ?? 0];
      const sum = websites.get(websiteId) ?? { websiteId, days: 0, records: 0, copied: 0 };
      sum.days += 1;
      sum.records += records;
      sum.copied += copied;
      websites.set(websiteId, sum);
      compared.days += 1;
      compared.records += records;
      if (!isSameAmount(one, other)) compared.differences.push({ websiteId, day, records, copied });
    }
  }
  compared.websites = [...websites.values()].sort((one, other) => one.websiteId - other.websiteId);
  return compared;
}
