import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fenceBuilds } from '../../src/store/build-fences.ts';
import type { WebsiteStore } from '../../src/store/website-store.ts';
import { insertRecords, recordsOf } from '../oracle/records.ts';
import { testLong } from '../support/long-form.ts';
import { openDayBuilder, untilReady } from '../support/test-days.ts';
import { openTestStore } from '../support/test-store.ts';

const startMs = Date.parse('2026-04-10T00:00:00Z');
const calendar = { startMs, days: 2, timezones: ['UTC', 'UTC'] as [string, string] };
const records = fc.sample(recordsOf(calendar), { numRuns: 2, seed: 5 }).flat();
const period = { from: '2026-04-01', to: '2026-04-30' };

testLong('an owner that was replaced in the middle of a build writes nothing anymore', async (t) => {
  const { store, close } = await openTestStore();
  t.after(close);
  await insertRecords(store, 1, records, 1);
  const rowsIn = async (table: string) => {
    const query = `select count() as rows from ${table}`;
    return Number((await store.query<{ rows: number }>({ query }))[0]!.rows);
  };
  /** A builder of an owner. `before` is called before each statement that writes. */
  const openBuilder = (fence: number, before = async (_query: string) => {}) => {
    const ofWebsite = (websiteId: number): WebsiteStore => {
      const website = fenceBuilds(store.ofWebsite(websiteId), fence);
      const run: WebsiteStore['run'] = async (statement) => {
        await before(statement.query);
        await website.run(statement);
      };
      return { ...website, run };
    };
    return openDayBuilder({ ...store, ofWebsite }, { fence: () => fence });
  };

  assert.equal(await store.readFence(), 0);
  await store.raiseFence(1, 'one');
  for (const today of ['2026-04-11', '2026-06-01']) {
    // Past days go through other statements than those that still change.
    const fence = await store.readFence();
    let isReplaced = false;
    const frozen = openBuilder(fence, async (query) => {
      if (isReplaced || !query.includes('insert into day_builds')) return;
      isReplaced = true;
      await store.raiseFence(fence + 1, 'two');
    });
    const before = await rowsIn('day_builds');
    await assert.rejects(untilReady(frozen, 1, period, today), /another node builds the days now/);
    assert.ok(isReplaced);
    assert.equal(await rowsIn('day_builds'), before, 'the late build does not count');
    const leftBehind = await rowsIn('visits');
    await assert.rejects(
      untilReady(openBuilder(fence), 1, period, today),
      /another node builds the days now/,
    );
    assert.equal(await rowsIn('visits'), leftBehind, 'it does not even begin');
    const { days } = await untilReady(openBuilder(fence + 1), 1, period, today);
    assert.equal(
      days.reduce((sum, day) => sum + day.records, 0),
      records.length,
    );
    await store.ofWebsite(1).removeDays('all');
  }
  const owner = { isHere: () => false, askFor: async () => {} };
  await assert.rejects(
    openDayBuilder(store, { owner }).ready(1, period, '2026-06-01'),
    { name: 'DaysNotReady' },
    'days that the owner has not built are not empty',
  );
  await assert.rejects(
    fenceBuilds(store.ofWebsite(1), undefined).run({ query: 'insert into visits select 1' }),
    {
      name: 'NotOwner',
    },
  );
});
