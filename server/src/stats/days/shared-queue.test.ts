import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@trackside/contract/calendar/day.ts';
import { createFakeClock, silentLog } from '../../control/test-control.ts';
import { NotOwner } from '../../store/build-fences.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type BuildQueue, createBuildQueue } from './build-queue.ts';
import { createBuildTurns } from './build-turns.ts';
import { type DayState, readDays } from './read-days.ts';
import { type BuildOwner, shareQueue } from './shared-queue.ts';

const today = '2026-06-01';
const website = { websiteId: 1 } as WebsiteStore;
const dayOf = (day: string): DayState => ({ day, records: 1, checksum: '1', built: undefined });

/** A queue on a node that isn't the owner. */
function open(askFor: (clock: ReturnType<typeof createFakeClock>) => BuildOwner['askFor']) {
  const clock = createFakeClock('2026-06-01T12:00:00Z');
  const own = createBuildQueue({
    runBuilds: () => assert.fail('only the owner builds'),
    refreshDay: () => assert.fail('only the owner builds'),
    isQuick: () => false,
    onBuilt: () => {},
    turns: createBuildTurns(),
    isStopping: () => false,
    clock,
    log: silentLog(),
  });
  const owner = { isHere: () => false, askFor: askFor(clock) };
  return { clock, queue: shareQueue(own, owner, () => website) };
}

test('a node that asks the owner for large days lets them rest, as if it had built them', async () => {
  const asked: string[] = [];
  const { queue, clock } = open((clock) => async (_, { from, to }, kind) => {
    asked.push(`${kind} ${from} ${to}`);
    clock.pass(10_000);
    if (kind === 'changed') throw new Error('the owner is away');
  });
  const day = dayOf(today);
  const mayRefresh = () => queue.mayRefresh(1, day, today);
  assert.equal(mayRefresh(), true);
  await queue.refresh(website, [dayOf('2026-05-31'), day], today);
  assert.equal(mayRefresh(), false);
  clock.pass(19_999);
  assert.equal(mayRefresh(), false, 'twice as long as it took');
  clock.pass(1);
  assert.equal(mayRefresh(), true);
  await assert.rejects(queue.buildOnce(website, [day], today), /the owner is away/);
  assert.equal(mayRefresh(), false, 'after a failure too');
  assert.deepEqual(asked, ['refresh 2026-05-31 2026-06-01', 'changed 2026-06-01 2026-06-01']);
});

test('days that were to be built here are asked for if another process takes over in the middle', async () => {
  const asked: string[] = [];
  const told: number[] = [];
  let isHere = true;
  const own = {
    async rebuild() {
      isHere = false;
      throw new NotOwner();
    },
    restAfter: async (_id: number, _days: unknown, _today: string, work: () => Promise<unknown>) => {
      await work();
    },
  } as unknown as BuildQueue;
  const days = Array.from({ length: 31 }, (_, at) => dayOf(addDays('2026-04-01', at)));
  const owner: BuildOwner = {
    isHere: () => isHere,
    askFor: async (_, { from, to }, kind) => void asked.push(`${kind} ${from} ${to}`),
  };
  const query = async ({ query }: { query: string }) =>
    days.map(({ day }) =>
      query.includes('day_builds')
        ? { day, build_text: '1', base_text: '0', as_of_ms: 0 }
        : { day, records: 1, checksum: '1' },
    );
  const store = { websiteId: 1, query } as unknown as WebsiteStore;
  const queue = shareQueue(own, owner, () => store);
  await queue.rebuild(store, days, today, (done) => told.push(done));
  assert.deepEqual(asked, ['all 2026-04-01 2026-04-30', 'all 2026-05-01 2026-05-01']);
  assert.deepEqual(told, [0, 30]);
  const built = await readDays(store, { from: '2026-04-01', to: '2026-05-01' });
  await assert.rejects(
    queue.rebuild(store, built, today, () => {}),
    /could not recalculate 30 of those from 2026-04-01 to 2026-04-30/,
  );
});
