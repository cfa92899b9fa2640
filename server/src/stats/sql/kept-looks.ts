import { daysBetween } from '@trackside/contract/calendar/day.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { hasSeen, lookBackDays, readLooks } from '../days/look-back.ts';
import type { BuiltDay } from '../days/ready-days.ts';

/** Finds the looks back from each of the days that have seen the days before as they are, if there are any. */
export type LooksOf = (store: WebsiteStore, days: readonly BuiltDay[]) => Promise<string[] | undefined>;

const maxKept = 200;

/**
 * Remembers the looks of days. Those of a screen ask for the same ones, and a look that is there stays for as long
 * as its build does.
 */
export function createKeptLooks(): LooksOf {
  const kept = new Map<string, ReturnType<LooksOf>>();

  async function ask(store: WebsiteStore, days: readonly BuiltDay[], key: string): ReturnType<LooksOf> {
    const asked = findLooks(store, days);
    kept.set(key, asked);
    if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
    try {
      const looks = await asked;
      if (looks === undefined) forget();
      return looks;
    } catch (error) {
      forget();
      throw error;
    }

    function forget(): void {
      if (kept.get(key) === asked) kept.delete(key);
    }
  }

  return async (store, days) => {
    const key = `${store.websiteId} ${days.map(({ day, build }) => `${day} ${build}`).join()}`;
    const asked = kept.get(key);
    if (asked === undefined) return await ask(store, days, key);
    // Whoever asked for them may have left meanwhile, which isn't a reason to leave too.
    return (await asked.catch(() => undefined)) ?? (await ask(store, days, key));
  };
}

const findLooks: LooksOf = async (store, days) => {
  const withClients = days.filter(({ clients }) => clients > 0).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const [first, ...others] = withClients;
  if (first === undefined || daysBetween(first.day, withClients.at(-1)!.day) > lookBackDays) return undefined;
  const known = await readLooks(store, others);
  const looks = others.map(({ build }, at) => {
    const earlier = withClients.slice(0, at + 1);
    return known.get(build)?.find((look) => hasSeen(look, earlier, first.day))?.look;
  });
  return looks.every((look) => look !== undefined) ? looks : undefined;
};
