import type { WebsiteStore } from '../../store/website-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import type { Clock } from '../../time/clock.ts';
import { buildChange, noteChange } from './build-change.ts';
import { buildDays, buildRows, noteBuilds } from './build-days.ts';
import type { TakeNumber } from './build-numbers.ts';
import { wholeDay } from './build-rollups.ts';
import type { BuildTurns } from './build-turns.ts';
import { countRecords } from './count-records.ts';
import { nameDayRules } from './day-rules.ts';
import { type BuiltRecords, type DayState, readDay } from './read-days.ts';
import type { ReplacedBuilds } from './replaced-builds.ts';

type Parts = {
  replaced: ReplacedBuilds;
  takeNumber: TakeNumber;
  turns: Pick<BuildTurns, 'quick'>;
  recordsPerSlice: number;
  completeUpToMs: () => number;
  rulesOf: (websiteId: number) => AddressRules | undefined;
  clock: Clock;
};

/**
 * Builds a day as a whole, with exactly the records that were received by the time it notes, so that changes
 * can follow. In the meantime, changes to the previous build may be made. In that case, the base gets its own
 * change, and counts together with it, so that no answer goes back in time.
 */
export async function buildBase(parts: Parts, store: WebsiteStore, state: DayState): Promise<void> {
  const { replaced, takeNumber, turns, recordsPerSlice, completeUpToMs, rulesOf, clock } = parts;
  const { day } = state;
  const build = takeNumber([state]);
  // What the current build has noted is still true, even if the loader doesn't know it yet after a start.
  const completeMs = Math.max(completeUpToMs(), state.built?.asOfMs ?? 0);
  const { all } = await countRecords(store, { day, sinceMs: completeMs, untilMs: completeMs });
  const isEmpty = all.records === 0;
  const days = [isEmpty ? state : { ...state, ...all }];
  const times = { nowMs: clock.now(), completeMs };
  const rules = rulesOf(store.websiteId);
  const job = { store, days, tables: 'open' as const, build, recordsPerSlice, rules, ...times };
  // After a start, it takes a moment until it is known what the store has. The day must not count as empty.
  if (isEmpty) {
    await buildDays(job);
    return replaced.add(store.websiteId, state.built);
  }
  await buildRows(job, { untilMs: completeMs });

  const isOvertaken = ({ built }: DayState) => built !== undefined && BigInt(built.build) > build;
  const follow = (base: BuiltRecords, previous: BuiltRecords, current: DayState) => {
    const untilMs = Math.max(completeUpToMs(), previous.asOfMs, current.built?.asOfMs ?? 0);
    const of = { store, day, base, previous, recordsPerSlice, rules };
    return buildChange({ ...of, build: takeNumber([current]), completeMs: untilMs });
  };
  const drop = (built: BuiltRecords) =>
    replaced.add(store.websiteId, { ...built, isOpen: true, rules: nameDayRules(rules), base: undefined });

  /**
   * Makes the new base current, together with a change if the day is further by now. Starts over if another
   * process has brought the day further in the meantime: its build would hide this one.
   */
  async function note(base: BuiltRecords, previous: BuiltRecords): Promise<void> {
    const current = await readDay(store, day);
    const { built } = current;
    if (built === undefined || !isOvertaken(current)) {
      await noteBuilds(job, { areBases: true });
      if (isOvertaken(await readDay(store, day))) return await note(base, previous);
      return replaced.add(store.websiteId, built);
    }
    const baseOfDay = BigInt(built.base?.build ?? 0);
    // Another process already continues from it.
    if (baseOfDay === build) return;
    const change = baseOfDay > build ? undefined : await follow(base, previous, current);
    if (previous !== base) drop(previous);
    // Late records have come in in the meantime. The day will be built again, or was by another process.
    if (change === undefined) return drop(base);
    const changed = { day, base, change, replaces: built, rules, nowMs: clock.now() };
    if (!(await noteChange(store, changed))) return await note(base, change);
    replaced.add(store.websiteId, built);
  }

  const base = {
    build: String(build),
    ...all,
    clients: await countClients(store, build),
    asOfMs: completeMs,
  };
  const current = await readDay(store, day);
  // Most of the change is built in parallel with changes to the previous build, so that they don't have to
  // wait for it.
  const previous = isOvertaken(current) ? await follow(base, base, current) : undefined;
  await turns.quick(store.websiteId, () => note(base, previous ?? base));
}

async function countClients(store: WebsiteStore, build: bigint): Promise<number> {
  const [row] = await store.query<{ clients: number }>({
    query: `
      select uniqExactMerge(clients) as clients
      from open_rollups
      where website_id = {website_id:UInt32} and build = {build:UInt64} and dimension = '${wholeDay}'`,
    params: { build },
  });
  return row!.clients;
}
