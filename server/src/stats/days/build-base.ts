import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import { buildChange } from './build-change.ts';
import { buildRows, noteBuilds } from './build-days.ts';
import type { TakeNumber } from './build-numbers.ts';
import type { BuildTurns } from './build-turns.ts';
import { countRecords } from './count-records.ts';
import { type DayState, readDay } from './read-days.ts';
import type { ReplacedBuilds } from './replaced-builds.ts';

type Parts = {
  replaced: ReplacedBuilds;
  takeNumber: TakeNumber;
  turns: Pick<BuildTurns, 'quick'>;
  recordsPerSlice: number;
  completeUpToMs: () => number;
  clock: Clock;
};

/**
 * Builds a day as a whole, with exactly the records that were received by the time it notes, so that changes
 * can follow. Changes of the build before may be made meanwhile. In that case the base gets a change of its
 * own, and counts together with it: no answer goes back in time.
 */
export async function buildBase(parts: Parts, store: WebsiteStore, state: DayState): Promise<void> {
  const { replaced, takeNumber, turns, recordsPerSlice, completeUpToMs, clock } = parts;
  const { day } = state;
  const build = takeNumber([state]);
  const times = { nowMs: clock.now(), completeMs: completeUpToMs() };
  const untilMs = times.completeMs;
  const { all } = await countRecords(store, { day, sinceMs: untilMs, untilMs });
  const days = [{ ...state, ...all }];
  const job = { store, days, tables: 'open' as const, build, recordsPerSlice, ...times };
  await buildRows(job, { untilMs });
  await turns.quick(store.websiteId, async () => {
    const current = await readDay(store, day);
    if (current.built === undefined || BigInt(current.built.build) < build) {
      await noteBuilds(job, { areBases: true });
      return replaced.add(store.websiteId, current.built);
    }
    const clients = await countClients(store, build);
    const base = { build: String(build), ...all, clients, asOfMs: untilMs };
    const isBuilt = await buildChange({
      store,
      day,
      base,
      build: takeNumber([current]),
      recordsPerSlice,
      nowMs: clock.now(),
      completeMs: completeUpToMs(),
    });
    // If records came late meanwhile, the build before stays, and the day is built once more.
    replaced.add(store.websiteId, isBuilt ? current.built : { ...base, isOpen: true, base: undefined });
  });
}

async function countClients(store: WebsiteStore, build: bigint): Promise<number> {
  const [row] = await store.query<{ clients: number }>({
    query: `
      select uniqExactMerge(clients) as clients
      from open_rollups
      where website_id = {website_id:UInt32} and build = {build:UInt64} and dimension = 'total'`,
    params: { build },
  });
  return row!.clients;
}
