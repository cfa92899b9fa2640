import type { WebsiteStore } from '../../store/website-store.ts';
import { type DayState, readDays } from './read-days.ts';

/** The website's store for who asks, and under which name what it reads is shared. */
export type Through = { asked: WebsiteStore; key: string };

type Group = { from: string; to: string; days: Promise<DayState[]> };

/** Periods that are asked for together, as one and the one before it, are read by one statement. */
export function createReadTogether() {
  const groups = new Map<string, Group>();

  return async ({ asked, key }: Through, { from, to }: { from: string; to: string }): Promise<DayState[]> => {
    const known = groups.get(key);
    const group = known ?? { from, to, days: Promise.resolve<DayState[]>([]) };
    if (from < group.from) group.from = from;
    if (to > group.to) group.to = to;
    if (known === undefined) {
      groups.set(key, group);
      group.days = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        groups.delete(key);
        return readDays(asked, group.from, group.to);
      });
    }
    return (await group.days).filter(({ day }) => day >= from && day <= to);
  };
}
