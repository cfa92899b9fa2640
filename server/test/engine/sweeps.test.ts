import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../src/control/test-control.ts';
import { createAskInTurn } from '../../src/stats/plan/ask-in-turn.ts';
import { countTogether, createSources } from '../../src/stats/plan/plan-screen.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import type { WebsiteStore } from '../../src/store/website-store.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { testLong } from '../support/long-form.ts';
import { openDayBuilder } from '../support/test-days.ts';
import { emptyTables, newWebsiteId, shareSweptStore } from '../support/test-store.ts';

const { store } = await shareSweptStore();

const day = '2026-04-10';
const longAfter = '2026-06-01';
const calendar = {
  startMs: Date.parse(`${day}T00:00:00Z`),
  days: 1,
  timezones: ['UTC', 'UTC'] as [string, string],
};
/** Records of people, without those who are recognized from day to day. */
const records = fc
  .sample(recordsOf(calendar), { numRuns: 3, seed: 4 })
  .flat()
  .filter((record) => record.day === day)
  .map((record): TestRecord => ({ ...record, hasClientId: false, visitorId: record.deviceId, isBot: false }));
/** It is answered from visits, and leaves out none of them. */
const question: Question = {
  period: { from: '2026-04-01', to: '2026-04-30' },
  metrics: ['visits'],
  dimensions: [],
  filters: [{ dimension: 'weekday', is: '5' }],
  order: [],
  limit: 1,
  offset: 0,
};

/** Opens a builder of the days of one website with records. `beforeRun` is called before each statement. */
async function open(beforeRun: (websiteId: number, query: string) => Promise<void> = async () => {}) {
  const websiteId = newWebsiteId();
  await insertRecords(store, websiteId, records, websiteId);
  const ofWebsite = (id: number): WebsiteStore => {
    const website = store.ofWebsite(id);
    return {
      ...website,
      withSignal: website.withSignal,
      async run(statement) {
        await beforeRun(id, statement.query);
        await website.run(statement);
      },
    };
  };
  const clock = createFakeClock(`${longAfter}T12:00:00Z`);
  const days = openDayBuilder({ ...store, ofWebsite }, { clock });
  const countVisits = async () => {
    const ready = await days.ready(websiteId, question.period, longAfter);
    const asked = createAskInTurn(store)({ websiteId, by: 'user' });
    const { rows } = await countTogether(asked, [question], ready, createSources())[0]!;
    return rows[0]?.counts.visits ?? 0;
  };
  return { websiteId, clock, days, countVisits };
}

// A sweep builds the days of all websites, so those of other tests must not be there.
testLong('days whose visits were damaged are calculated again', async () => {
  await emptyTables(store);
  const { countVisits, clock } = await open();
  const visits = await countVisits();
  assert.ok(visits > 0);
  for (const part of (await store.listParts()).filter(({ table }) => table === 'ended_visits'))
    await store.dropSums(part);
  clock.pass(60_000);
  assert.equal(await countVisits(), visits);
});

test('days are calculated again if the list of builds was damaged, even if an earlier build was listed', async () => {
  const { websiteId, countVisits, clock } = await open();
  const visits = await countVisits();
  const ofWebsite = `from day_builds where website_id = ${websiteId}`;
  const [newest] = await store.query<{ name: string }>({ query: `select _part as name ${ofWebsite}` });
  await store.dropSums({ table: 'day_builds', name: 'gone_9_9_0', partition: '', rows: 1 });
  assert.equal((await store.query({ query: `select 1 ${ofWebsite}` })).length, 1, 'that part is not there');
  // As it was before the day was built again. Its visits and sums are gone.
  await store
    .ofWebsite(websiteId)
    .run({ query: `insert into day_builds select * replace (1 as build) ${ofWebsite}` });
  for (const part of await store.listParts())
    if (part.table === 'day_builds' && part.name === newest!.name) await store.dropSums(part);
  clock.pass(60_000);
  assert.equal(await countVisits(), visits);
});

testLong('a build that takes more than an hour by the clock is not cleared away while it runs', async () => {
  let sweeping: Promise<void> | undefined;
  const { countVisits, clock, days } = await open(async (_id, query) => {
    if (sweeping !== undefined || !/insert into closed_rollups/.test(query)) return;
    clock.pass(3_700_000);
    sweeping = days.sweep('2026-04-01');
    // Time enough for a sweep that doesn't wait for the build.
    await new Promise((resolve) => setTimeout(resolve, 500));
  });
  const visits = await countVisits();
  await sweeping;
  assert.notEqual(sweeping, undefined);
  assert.ok(visits > 0);
  assert.equal(await countVisits(), visits);
});

testLong('a website whose days cannot be calculated holds up no other', async () => {
  const failing = await open(async (id) => {
    if (id === failing.websiteId) throw new Error('memory limit exceeded');
  });
  const other = await open();
  await failing.days.sweep('2026-05-01');
  const [row] = await store.query<{ days: number }>({
    query: `select toUInt32(count()) as days from day_builds final where website_id = ${other.websiteId}`,
  });
  assert.equal(row?.days, 1);
});
