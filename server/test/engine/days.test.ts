import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricNames } from '@trackside/contract/stats/metrics.ts';
import fc from 'fast-check';
import { retellSources } from '../../src/commands/data/retell-sources.ts';
import type { WantedKind } from '../../src/control/nodes/wanted-builds.ts';
import { createFakeClock } from '../../src/control/test-control.ts';
import { buildNumberAt } from '../../src/stats/days/build-numbers.ts';
import { buildVisits } from '../../src/stats/days/build-visits.ts';
import { readDays } from '../../src/stats/days/read-days.ts';
import type { BuildOwner } from '../../src/stats/days/shared-queue.ts';
import { type AskedBy, createAskInTurn } from '../../src/stats/plan/ask-in-turn.ts';
import { countTogether, createSources } from '../../src/stats/plan/plan-screen.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import type { WebsiteStore } from '../../src/store/website-store.ts';
import { askOracle } from '../oracle/oracle.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { testLong, times } from '../support/long-form.ts';
import { openDayBuilder } from '../support/test-days.ts';
import { untilReady } from '../support/test-engine.ts';
import { emptyTables, shareSweptStore } from '../support/test-store.ts';
import { waitFor } from '../support/wait-for.ts';

const sources = createSources();
let lastWebsite = 0;

const { engine, store } = await shareSweptStore();

const calendar = {
  startMs: Date.parse('2026-04-10T00:00:00Z'),
  days: 3,
  timezones: ['UTC', 'UTC'] as [string, string],
};
const records = fc.sample(recordsOf(calendar), { numRuns: 2, seed: 3 }).flat();
const question: Question = {
  period: { from: '2026-04-01', to: '2026-04-30' },
  metrics: metricNames,
  dimensions: [{ dimension: 'page' }],
  filters: [],
  order: [],
  limit: 100,
  offset: 0,
};
const longAfter = '2026-06-01';

/** Opens another website, with a clock that the test controls. */
function open(start = '2026-06-01T12:00:00Z') {
  lastWebsite += 1;
  const websiteId = lastWebsite;
  const clock = createFakeClock(start);
  /** When the loader had loaded everything. Until a test says otherwise, that is now. */
  const loader = { completeUpToMs: clock.now };
  const days = openDayBuilder(store, { clock, completeUpToMs: () => loader.completeUpToMs() });
  const website = createAskInTurn(store)({ websiteId, by: 'user' });
  const count = async (today: string) => {
    const ready = await days.ready(websiteId, question.period, today);
    const { rows } = await countTogether(website, [question], ready, sources)[0]!;
    return {
      asOfMs: ready.asOfMs,
      builds: ready.builds,
      rows: rows.map((row) => JSON.stringify(row)).toSorted(),
    };
  };
  const add = (some: readonly TestRecord[], batch: number) => insertRecords(store, websiteId, some, batch);
  const rowsIn = async (table: string) => {
    const query = `select count() as rows from ${table} where website_id = ${websiteId}`;
    return Number((await store.query<{ rows: number }>({ query }))[0]!.rows);
  };
  return { websiteId, clock, loader, days, count, add, rowsIn, website };
}

const expected = (some: readonly TestRecord[]) =>
  askOracle(some, question)
    .map(({ time, values, counts }) => JSON.stringify({ time, values, counts }))
    .toSorted();

// The two tests with sweeps come first, because a sweep builds the days of all existing websites.
test('moves days that have ended to their own tables, and removes what they replace', async () => {
  await emptyTables(store);
  const { count, add, clock, days, rowsIn } = open('2026-04-12T12:00:00Z');
  await add(records, 1);
  await count('2026-04-10');
  assert.ok((await rowsIn('open_visits')) > 0);
  assert.equal(await rowsIn('ended_visits'), 0);
  await days.sweep('2026-05-01');
  assert.ok((await rowsIn('ended_visits')) > 0);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
  clock.pass(3 * 3_600_000);
  await days.sweep('2026-05-01');
  assert.equal(await rowsIn('open_visits'), 0);
  assert.equal(await rowsIn('open_rollups'), 0);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
});

test('does not count what a dead process left behind, and removes it', async () => {
  const { websiteId, count, add, days, clock, rowsIn } = open();
  await add(records, 1);
  const slice = {
    from: '2026-04-10',
    to: '2026-04-13',
    firstId: '0',
    lastId: String(2n ** 64n - 1n),
  };
  const build = String(buildNumberAt(clock.now() - 7_200_000));
  await buildVisits(store.ofWebsite(websiteId), 'closed', { ...slice, build }, {});
  const leftBehind = await rowsIn('ended_visits');
  assert.ok(leftBehind > 0);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
  await days.sweep('2026-05-01');
  await waitFor('the removal', async () => (await rowsIn('ended_visits')) === leftBehind);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
});

testLong('counts a late batch in days that were built before, even by a clock that went back', async () => {
  const { count, add, clock } = open('2026-06-01T12:00:00Z');
  await add(records.slice(0, 40), 1);
  assert.deepEqual((await count(longAfter)).rows, expected(records.slice(0, 40)));
  await add(records.slice(40, 60), 2);
  assert.deepEqual((await count(longAfter)).rows, expected(records.slice(0, 60)));
  clock.jump(-31 * 86_400_000);
  await add(records.slice(60), 3);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
});

test('rows that are gone from the records are gone from the days', async () => {
  const { count, add, websiteId } = open();
  await add(records, 1);
  await count(longAfter);
  await store.ofWebsite(websiteId).run({
    query: `alter table records delete where website_id = ${websiteId} and day = '2026-04-11'`,
    settings: { mutations_sync: '2' },
  });
  const left = records.filter(({ day }) => day !== '2026-04-11');
  assert.deepEqual((await count(longAfter)).rows, expected(left));
});

test('answers today as of its last build, and then from a new one', async () => {
  const ofOneDay = records.filter(({ day }) => day === '2026-04-11');
  const inOrder = ofOneDay.toSorted((a, b) => a.receivedAtMs - b.receivedAtMs);
  const [earlier, later] = [inOrder.slice(0, -5), inOrder.slice(-5)];
  const now = new Date(later[0]!.receivedAtMs + 1000);
  const { count, add, clock, loader, days } = open(now.toISOString());
  await add(earlier, 1);
  loader.completeUpToMs = () => earlier.at(-1)!.receivedAtMs;
  const first = await count('2026-04-10');
  assert.equal(first.asOfMs, earlier.at(-1)!.receivedAtMs);
  // Numbers that are older than three seconds would not be shown.
  clock.pass(1000);
  await add(later, 2);
  loader.completeUpToMs = clock.now;
  const second = await count('2026-04-10');
  assert.deepEqual(second.rows, first.rows);
  assert.equal(second.asOfMs, later[0]!.receivedAtMs - 1, 'the first record that is missing');
  await waitFor('the new build', async () => {
    clock.pass(2000);
    return (await count('2026-04-10')).rows.join() === expected(inOrder).join();
  });
  assert.equal((await count('2026-04-10')).asOfMs, clock.now());
  await days.stop({ withinMs: 300_000 });
});

test('questions of the same turns share a look at the days for a while, unless it fails', async () => {
  const { websiteId, add, clock } = open();
  await add(records, 1);
  const days = openDayBuilder(store, { clock, sharedMs: 500 });
  const website = store.ofWebsite(websiteId);
  let looks = 0;
  const counting: WebsiteStore = {
    ...website,
    query(asked) {
      looks += 1;
      return website.query(asked);
    },
  };
  const ask = (by: AskedBy, of = counting) =>
    days.readyAll([question.period], longAfter, { store: of, by })[0]!;
  await ask('user');
  looks = 0;
  clock.pass(500);
  const [one, other] = await Promise.all([ask('user'), ask('user')]);
  assert.equal(one, other);
  clock.pass(499);
  assert.equal(await ask('user'), one);
  assert.equal(looks, 2, 'the records and the builds, once');
  await ask('link');
  assert.equal(looks, 4);
  clock.pass(1);
  const failing = { ...website, query: () => Promise.reject(new Error('broken on purpose')) };
  await assert.rejects(ask('user', failing), /on purpose/);
  assert.deepEqual((await ask('user')).builds, one.builds);
  assert.equal(looks, 6);
});

testLong(
  'reads the builds of a look as long as they are there, and refuses to when they may be gone',
  async () => {
    const today = '2026-04-11';
    const { websiteId, add, clock, days, website } = open('2026-04-11T12:00:00Z');
    const ofToday = records.filter(({ day, isBot }) => day === today && !isBot);
    const replace = async (batch: number) => {
      await add(ofToday.slice(batch, batch + 1), batch);
      await days.buildWanted(websiteId, question.period, today, 'changed');
    };
    await replace(1);
    const ready = await days.ready(websiteId, question.period, today);
    await replace(2);
    // Nothing is in memory, so each of them reads the store.
    const read = async () => (await countTogether(website, [question], ready, createSources())[0]!).totalRows;
    clock.pass(50_000);
    await replace(3);
    assert.equal(await read(), 1);
    clock.pass(10_001);
    await replace(4);
    await assert.rejects(read(), { name: 'StoreAway', fault: 'busy' });
  },
);

test('does not rebuild unchanged days, except for a rebuild, which reports its progress', async () => {
  const { websiteId, count, add, days } = open();
  await add(records, 1);
  const first = await count(longAfter);
  assert.deepEqual((await count(longAfter)).builds, first.builds);
  const told: [number, number][] = [];
  const done = await days.rebuild(websiteId, question.period, longAfter, (some, all) =>
    told.push([some, all]),
  );
  assert.equal(done.records, records.length);
  assert.deepEqual(told.at(-1), [done.days, done.days]);
  const second = await count(longAfter);
  assert.equal(new Set([...first.builds, ...second.builds]).size, first.builds.length * 2);
  assert.deepEqual(second.rows, expected(records));
});

testLong('as the owner, builds what other nodes want, and refreshes days only after a rest', async () => {
  const today = '2026-04-11';
  const { websiteId, add, clock, days } = open('2026-04-11T12:00:00Z');
  const want = async (kind: WantedKind) => {
    await days.buildWanted(websiteId, question.period, today, kind);
    const [state] = await readDays(store.ofWebsite(websiteId), question.period);
    return state!.built!;
  };
  const ofToday = records.filter(({ day }) => day === today);
  await add(ofToday.slice(0, 5), 1);
  assert.equal((await want('refresh')).records, 5, 'a day without numbers is built at once');
  await add(ofToday.slice(5, 7), 2);
  assert.equal((await want('refresh')).records, 5);
  clock.pass(5_000);
  assert.equal((await want('refresh')).records, 7);
  await add(ofToday.slice(7, 9), 3);
  const needed = await want('changed');
  assert.equal(needed.records, 9, 'someone needs it');
  assert.equal((await want('changed')).build, needed.build);
  assert.notEqual((await want('all')).build, needed.build);
  await store.ofWebsite(websiteId).removeRecords('all');
  await days.buildWanted(websiteId, question.period, today, 'afresh');
  assert.deepEqual(await readDays(store.ofWebsite(websiteId), question.period), []);
});

test('only the owner removes what was built, because it may be building at the moment', async () => {
  const { websiteId, add, count } = open();
  await add(records, 1);
  const before = await count(longAfter);
  const asked: unknown[] = [];
  const owner: BuildOwner = { isHere: () => false, askFor: async (...question) => void asked.push(question) };
  await openDayBuilder(store, { owner }).startOver(websiteId, longAfter);
  assert.deepEqual(asked, [[websiteId, { from: '1970-01-01', to: '2149-06-06' }, 'afresh']]);
  assert.deepEqual((await count(longAfter)).builds, before.builds);
});

test('builds websites that are requested at the same time one after the other', async () => {
  const { websiteId, days, add } = open();
  const other = open();
  await add(records, 1);
  await other.add(records, 1);
  await Promise.all([websiteId, other.websiteId].map((id) => days.ready(id, question.period, longAfter)));
  assert.deepEqual((await other.count(longAfter)).rows, expected(records));
});

testLong('an engine that dies in the middle of a build costs only another attempt', async () => {
  const { count, add } = open();
  for (let round = 0; round < times(1, 2); round += 1) {
    await add(records.slice(round * 10, round * 10 + 10), round + 1);
    const asked = count(longAfter).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 20 + round * 25));
    const { pid, restarts } = engine.supervisor.state();
    process.kill(pid!, 'SIGKILL');
    await asked;
    await waitFor('the restart', () => engine.supervisor.state().restarts > restarts);
    await untilReady(engine.supervisor);
    assert.deepEqual((await count(longAfter)).rows, expected(records.slice(0, round * 10 + 10)));
  }
});

/** Each row has what an earlier version stored, and what this version finds in it. */
type Origin = Pick<TestRecord, 'referrer' | 'source' | 'channel'>;
const origins: { stored: Origin; utmSource?: string; source: string; channel: string }[] = [
  {
    stored: { referrer: 'https://accounts.google.com/', source: 'Google', channel: 'search' },
    source: 'Google sign-in',
    channel: 'referral',
  },
  {
    stored: { referrer: 'https://google.com/', source: 'Google', channel: 'search' },
    source: 'Google',
    channel: 'search',
  },
  {
    stored: { referrer: 'ios-app://544007664/', source: '544007664', channel: 'referral' },
    source: 'YouTube',
    channel: 'video',
  },
  { stored: { referrer: '', source: 'Google', channel: 'paid' }, source: 'Google', channel: 'paidSearch' },
  {
    stored: { referrer: '', source: 'openai', channel: 'referral' },
    utmSource: 'openai',
    source: 'ChatGPT',
    channel: 'ai',
  },
  {
    stored: { referrer: '', source: "it's", channel: 'referral' },
    utmSource: "it's",
    source: "it's",
    channel: 'referral',
  },
];

testLong('finds sources again even if the engine dies, and adds up the days from them', async () => {
  const { websiteId, days, add, website } = open();
  const other = open();
  const originOf = (index: number) => origins[index % origins.length]!;
  const stored = records.map((record, index): TestRecord => {
    const utm: TestRecord['utm'] = [originOf(index).utmSource ?? '', '', '', '', ''];
    // Half of them are a month earlier.
    const inMonth = (text: string) => (index % 2 === 0 ? text : text.replace('2026-04', '2026-03'));
    const [day, localAt] = [inMonth(record.day), inMonth(record.localAt)];
    // A device has a different id on another day, and so does a visitor without a ClientId.
    const deviceId = index % 2 === 0 ? record.deviceId : record.deviceId ^ 1n;
    const visitorId = record.hasClientId ? record.visitorId : deviceId;
    const ids = { deviceId, visitorId };
    return { ...record, ...originOf(index).stored, ...ids, day, localAt, utm, query: '' };
  });
  const retold = stored.map((record, index): TestRecord => {
    const { source, channel } = originOf(index);
    return { ...record, source, channel };
  });
  for (const { add: addTo } of [{ add }, other]) await addTo(stored, 1);
  const asked: Question = {
    ...question,
    period: { from: '2026-03-01', to: '2026-04-30' },
    dimensions: [{ dimension: 'source' }, { dimension: 'channel' }],
  };
  const answer = async (id: number, of: typeof website) => {
    const ready = await days.ready(id, asked.period, longAfter);
    const { rows } = await countTogether(of, [asked], ready, sources)[0]!;
    return rows.map((row) => JSON.stringify(row)).toSorted();
  };
  const wanted = (some: readonly TestRecord[]) =>
    askOracle(some, asked)
      .map(({ time, values, counts }) => JSON.stringify({ time, values, counts }))
      .toSorted();
  assert.deepEqual(await answer(websiteId, website), wanted(stored));

  const whole = store.ofWebsite(websiteId);
  const told: string[] = [];
  const retell = (through: Pick<WebsiteStore, 'listMonths' | 'listOrigins' | 'rewriteOrigins'>) =>
    retellSources({
      store: through,
      website: { domain: 'a.test' },
      // Small enough that a month needs several pages and mutations.
      limits: { groupsAtOnce: times(8, 3), maxChangesChars: times(140, 70) },
      onProgress: (month, changed) => told.push(`${month} ${changed}`),
    });
  const { pid, restarts } = engine.supervisor.state();
  let looks = 0;
  const onLeft = () => {
    looks += 1;
    // The first look comes before the change is requested.
    if (looks === 2) process.kill(pid!, 'SIGKILL');
  };
  const dying = {
    rewriteOrigins: (...[month, changes]: Parameters<typeof whole.rewriteOrigins>) =>
      whole.rewriteOrigins(month, changes, { onLeft }),
  };
  await assert.rejects(retell({ ...whole, ...dying }));
  await waitFor('the restart', () => engine.supervisor.state().restarts > restarts);
  await untilReady(engine.supervisor);

  await retell(whole);
  assert.match(told.at(-1)!, /^2026-04-01 /);
  assert.deepEqual(await retell(whole), { records: 0 }, 'what was found again is found unchanged');
  await days.rebuild(websiteId, asked.period, longAfter, () => {});
  assert.deepEqual(await answer(websiteId, website), wanted(retold));
  assert.deepEqual(await answer(other.websiteId, other.website), wanted(stored));
});
