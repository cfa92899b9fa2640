import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxBatch } from '@trackside/contract/stats/limits.ts';
import fc from 'fast-check';
import { createFakeClock } from '../../src/control/test-control.ts';
import type { Website } from '../../src/control/websites/website-row.ts';
import { createStatistics, type Statistics } from '../../src/stats/create-statistics.ts';
import type { Question } from '../../src/store/create-store-client.ts';
import type { Store } from '../../src/store/open-store.ts';
import type { Clock } from '../../src/time/clock.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { testLong } from '../support/long-form.ts';
import { nothingSaved } from '../support/nothing-saved.ts';
import { openDayBuilder, websiteOf } from '../support/test-days.ts';
import { until } from '../support/test-engine.ts';
import { newWebsiteId, shareTestStore } from '../support/test-store.ts';

const { store } = await shareTestStore();
const today = new Date().toISOString().slice(0, 10);

const [anyRecord] = fc
  .sample(recordsOf({ startMs: Date.now(), days: 1, timezones: ['UTC', 'UTC'] }), { numRuns: 1, seed: 1 })
  .flat();

/** Returns one record a day, from yesterday back, or from so many days ago. */
function recordsOfDays(count: number, daysAgo = 1): TestRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const receivedAtMs = Date.parse(today) - (index + daysAgo - 0.5) * 86_400_000;
    const at = new Date(receivedAtMs).toISOString();
    const when = { receivedAtMs, day: at.slice(0, 10), localAt: at.slice(0, 19).replace('T', ' ') };
    return { ...anyRecord!, ...when, kind: 'page_view' as const, isBot: false, bot: '', hasClientId: true };
  });
}

/** The latest day that can't change anymore. Those that can need their own statements. */
const endedDaysAgo = 2;

/** Opens statistics over the real store that hold back the chosen statements and remember all of them. */
function openStatistics(
  isHeld: (question: Question, websiteId: number) => boolean = () => false,
  clock: Clock = createFakeClock(new Date().toISOString()),
) {
  const asked: string[] = [];
  const released = Promise.withResolvers<void>();
  let held = 0;
  const ofWebsite: Store['ofWebsite'] = (id) => {
    const of = store.ofWebsite(id);
    const wrap = (inner: typeof of): typeof of => ({
      ...inner,
      withSignal: (signal) => wrap(inner.withSignal(signal)),
      async query(question) {
        asked.push(question.query);
        if (isHeld(question, id)) {
          held += 1;
          await released.promise;
        }
        return await inner.query(question);
      },
    });
    return wrap(of);
  };
  // The days of a website are looked up once, and stay readable, however long a test takes.
  const days = openDayBuilder(store, { clock, sharedMs: 3_600_000 });
  const statistics = createStatistics({
    store: { ...store, ofWebsite },
    days,
    clock,
    completeUpToMs: Date.now,
    saved: { ...nothingSaved, goalsOf: async () => [{ id: 1, name: null, goal: { page: '/' } }] },
  });
  return { statistics, days, asked, held: () => held, release: () => released.resolve() };
}

async function addWebsite(records = recordsOfDays(3)): Promise<Website> {
  const website = websiteOf(newWebsiteId());
  await insertRecords(store, website.id, records);
  return website;
}

test('reports what is wrong with a question before the store is asked for anything', async () => {
  const website = await addWebsite();
  const { statistics, asked } = openStatistics();
  const wrong = { period: 'all', more: 1 };
  for (const kind of ['query', 'bots', 'funnel', 'retention', 'paths'] as const)
    for (const by of ['user', 'link'] as const)
      await assert.rejects(statistics[kind](website, wrong, { by }), { name: 'QuestionError' });
  assert.deepEqual(asked, []);
  const { period } = await statistics.query(website, { period: 'all' });
  assert.equal(period.from, recordsOfDays(3).at(-1)!.day);
});

/** A scope that only the visits can answer. */
const filteredScope = () => ({
  period: '30d',
  filters: [
    { dimension: 'country', isNot: 'AQ' },
    { dimension: 'device', isNot: 'console' },
  ],
});

/** A screen with two filters: a comparison, a series, and three lists with one value per visit. */
function filteredScreen() {
  const lists = ['source', 'country', 'browser'].map((dimension) => ({
    ...filteredScope(),
    dimensions: [dimension],
  }));
  const questions = [
    { ...filteredScope(), compare: 'previousPeriod' },
    { ...filteredScope(), interval: 'day' },
    ...lists,
    { period: '7d' },
  ];
  return questions.map((question) => ({ kind: 'query' as const, question }));
}

test('a screen looks up its days once, and asks about the same visits in one statement', async () => {
  const website = await addWebsite(recordsOfDays(40, endedDaysAgo));
  const screen = filteredScreen();
  // Other statistics answer first, so that the days are built and nothing else is in memory.
  await Promise.all(openStatistics().statistics.answerScreen(website, screen));
  const { statistics, asked } = openStatistics();
  const together = await Promise.all(statistics.answerScreen(website, screen));
  const countOf = (part: RegExp) => asked.filter((query) => part.test(query)).length;
  assert.equal(countOf(/from day_builds/), 1, 'one look at the days of all periods');
  assert.equal(countOf(/from visits/), 2, 'one for the period, and one for that before');
  for (const [at, { question }] of screen.entries()) {
    const alone = await statistics.query(website, question);
    assert.deepEqual({ ...together[at], asOf: '' }, { ...alone, asOf: '' });
  }
});

test('the same question asked meanwhile shares the statement, which runs while anybody waits', async () => {
  const website = await addWebsite(recordsOfDays(3, endedDaysAgo));
  let isHolding = false;
  const isHeld = (question: Question) => isHolding && /from visits/.test(question.query);
  const { statistics, held, release } = openStatistics(isHeld);
  const question = filteredScreen()[1]!;
  // Other statistics answer first, because these would keep what they have counted.
  const [first] = await Promise.all(openStatistics().statistics.answerScreen(website, [question]));
  isHolding = true;
  const gone = new AbortController();
  const ask = (signal?: AbortSignal) =>
    statistics.answerScreen(website, [structuredClone(question)], { ...(signal && { signal }) })[0]!;
  const [leaves, stays] = [ask(gone.signal), ask()];
  await until(() => held() > 0, 'the statement to be under way');
  gone.abort(new Error('gone'));
  await assert.rejects(leaves, /^Error: gone$/);
  release();
  assert.deepEqual({ ...(await stays), asOf: '' }, { ...first, asOf: '' });
  assert.equal(held(), 1);
});

testLong('does not read again what a filtered screen has counted in past days', async () => {
  // The filter leaves out every second one, which is more than can be taken off the sums of days.
  const records = recordsOfDays(40).map((record, index) => ({
    ...record,
    hasClientId: false,
    country: index % 2 === 0 ? 'DE' : 'AQ',
  }));
  const website = await addWebsite(records);
  const { statistics, days, asked } = openStatistics();
  const { question } = filteredScreen()[2]!;
  const ask = async () => {
    asked.length = 0;
    const { rows } = await statistics.query(website, question);
    return {
      visitors: rows[0]!.metrics.visitors,
      scans: asked.filter((query) => /from visits/.test(query)).length,
    };
  };
  assert.deepEqual(await ask(), { visitors: 15, scans: 2 }, 'the days that have ended, and yesterday');
  assert.deepEqual(await ask(), { visitors: 15, scans: 0 });
  const yesterday = records[0]!;
  await insertRecords(store, website.id, [{ ...yesterday, visitorId: 5n, deviceId: 5n }], 2);
  await days.rebuild(website.id, { from: yesterday.day, to: yesterday.day }, today, () => {});
  const later = await openStatistics().statistics.query(website, question);
  assert.equal(later.rows[0]!.metrics.visitors, 16);
});

let busyWebsite: Promise<Website> | undefined;

/** Opens statistics of a website where both turns for users are taken until they are released. */
async function openBusyStatistics(clock?: Clock) {
  busyWebsite ??= addWebsite(recordsOfDays(20, endedDaysAgo));
  const website = await busyWebsite;
  const { statistics, asked, held, release } = openStatistics(({ query }) => /\bmask\b/.test(query), clock);
  const ask = (question: object, signal?: AbortSignal) =>
    statistics.query(website, { ...filteredScope(), ...question }, { ...(signal && { signal }) });
  // From here on the days are known, so a question only has to wait for a turn. What is counted by two
  // dimensions is not kept.
  const dimensions = ['source', 'country'];
  await Promise.all([ask({ dimensions }), ask({ dimensions, period: '7d' })]);
  asked.length = 0;
  const without = (event: string) => ({
    dimensions: ['page'],
    filters: [{ dimension: 'event', isNot: event }],
  });
  const holding = [ask(without('a')), ask(without('b'))];
  await until(() => held() === 2, 'both turns to be taken');
  const countScans = () =>
    asked.filter((query) => /from visits/.test(query) && !/\bmask\b/.test(query)).length;
  return {
    website,
    statistics,
    ask,
    /** Counts the scans of all questions except the two that hold the turns. */
    countScans,
    async release() {
      await new Promise(setImmediate);
      // Looks at days and at their sums take no turn.
      const inTurn = asked.filter((query) => /from visits/.test(query));
      assert.equal(inTurn.length, 2, 'nothing is asked before its turn');
      release();
      await Promise.all(holding);
    },
  };
}

testLong('combines questions about the same visits that wait for a turn into one statement', async () => {
  const { ask, countScans, release } = await openBusyStatistics();
  const lists = ['source', 'country', 'browser', 'source'].map((dimension) => ({ dimensions: [dimension] }));
  const questions = [{}, { interval: 'day' }, ...lists];
  const [together, other] = [questions.map((question) => ask(question)), ask({ period: '7d' })];
  await release();
  const answers = await Promise.all(together);
  await other;
  assert.equal(countScans(), 2, 'one for six questions, and one for the other period');
  for (const [at, question] of questions.entries()) {
    const alone = await ask(question);
    assert.deepEqual({ ...answers[at], asOf: '' }, { ...alone, asOf: '' });
  }
});

test('refuses questions and reports whose turn comes when their builds may be gone', async () => {
  const clock = createFakeClock(new Date().toISOString());
  const { website, statistics, ask, countScans, release } = await openBusyStatistics(clock);
  const scope = filteredScope();
  const late = [
    ask({}),
    statistics.funnel(website, { ...scope, steps: [{ page: '/' }, { page: '/b' }] }),
    statistics.retention(website, scope),
    statistics.paths(website, { ...scope, page: '/' }),
  ];
  const refused = Promise.allSettled(late);
  await new Promise(setImmediate);
  clock.pass(50_001);
  await release();
  for (const outcome of await refused) {
    assert.equal(outcome.status, 'rejected');
    assert.match(String(outcome.reason), /^StoreAway: this website has too many questions in progress/);
  }
  assert.equal(countScans(), 0);
});

test('refuses to count conversions of builds that may be gone, even if it knows their visitors', async () => {
  const clock = createFakeClock(new Date().toISOString());
  const { statistics } = openStatistics(undefined, clock);
  const website = await addWebsite(recordsOfDays(3, endedDaysAgo));
  const ask = () => statistics.goals(website, { period: '7d' });
  const { visitors } = await ask();
  clock.pass(50_000);
  assert.equal((await ask()).visitors, visitors);
  clock.pass(1);
  await assert.rejects(ask(), { name: 'StoreAway', fault: 'busy' });
});

test('one statement answers no more questions than one request may have', async () => {
  const { ask, countScans, release } = await openBusyStatistics();
  const questions = Array.from({ length: maxBatch + 1 }, (_, at) => ({
    dimensions: ['source'],
    // Too many to be kept, so each is a separate question.
    limit: at + 101,
  }));
  const answers = questions.map((question) => ask(question));
  await release();
  for (const { totalRows } of await Promise.all(answers)) assert.equal(totalRows, 1);
  assert.equal(countScans(), 2);
});

test('somebody who leaves before their turn is released, and what nobody waits for is not asked', async () => {
  const { ask, countScans, release } = await openBusyStatistics();
  const [one, all] = [new AbortController(), new AbortController()];
  const [leaves, stays] = [ask({ dimensions: ['source'] }, one.signal), ask({ interval: 'day' })];
  const nobody = [ask({ period: '7d' }, all.signal), ask({ period: '7d', interval: 'day' }, all.signal)];
  await new Promise(setImmediate);
  one.abort(new Error('gone'));
  all.abort(new Error('gone'));
  for (const asked of [leaves, ...nobody]) await assert.rejects(asked, /^Error: gone$/);
  await assert.rejects(ask({}, AbortSignal.abort(new Error('gone before'))), /^Error: gone before$/);
  await release();
  assert.equal((await stays).rows.length, 30);
  assert.equal(countScans(), 1);
  const comesLater = await ask({ period: '7d', interval: 'day' });
  assert.equal(comesLater.rows.length, 7);
  assert.equal(countScans(), 2);
});

testLong(
  'those who ask by a public link hold up neither the users of the website nor another website',
  async () => {
    const [flooded, other] = [await addWebsite(), await addWebsite()];
    let isFlooding = true;
    const { statistics, held, release } = openStatistics((_, id) => isFlooding && id === flooded.id);
    const slow = (page: string) => ({
      period: '7d',
      dimensions: ['event', 'page'],
      filters: [{ dimension: 'page', isNot: page }],
    });
    const gone = new AbortController();
    const flood = Array.from({ length: 300 }, (_, index) => {
      const body = [
        slow(`/${index}`),
        { ...slow(`/${index}`), period: 'all' },
        { period: `${(index % 40) + 1}d` },
        {},
      ][index % 4];
      const kind = index % 3 === 0 && index % 4 === 3 ? 'live' : 'query';
      // Most of them go in the end without an answer, because 200 answers would take long.
      const asking = { by: 'link' as const, ...(index >= 4 && { signal: gone.signal }) };
      return kind === 'live' ? statistics.live(flooded, asking) : statistics.query(flooded, body, asking);
    });
    const refused: string[] = [];
    for (const one of flood) one.catch((reason) => !gone.signal.aborted && refused.push(String(reason)));
    const outcomes = Promise.allSettled(flood);
    await until(() => held() >= 2, 'the flood to hold its places');
    isFlooding = false;
    for (const [website, by] of [
      [flooded, 'user'],
      [other, 'user'],
      [other, 'link'],
    ] as const) {
      for (const body of [slow('/x'), { period: 'all' }, { dimensions: ['page'] }])
        assert.ok((await statistics.query(website, body, { by })).totalRows >= 0);
      assert.equal((await statistics.live(website, { by })).minutes.length, 30);
      assert.equal((await statistics.liveScene(website)).minutes.length, 30);
    }
    // These are one slow statement and one quick one.
    assert.equal(held(), 2);
    release();
    await until(() => refused.length > 50, 'a bound of what waits');
    gone.abort(new Error('gone'));
    for (const reason of refused)
      assert.match(reason, /^StoreAway: this website has too many questions in progress/);
    const first = (await outcomes).slice(0, 4).map(({ status }) => status);
    assert.deepEqual(first, Array(4).fill('fulfilled'), 'they had a place');
  },
);

function isStillBuilding(error: { fault?: string }): 'still building' {
  if (error.fault === 'being-calculated') return 'still building';
  throw error;
}

/** On a busy machine, an answer doesn't wait until the days are there. It is asked for again, as a page does. */
async function untilBuilt(website: Website, of: Statistics = openStatistics().statistics): Promise<void> {
  while ((await of.query(website, { period: 'all' }).catch(isStillBuilding)) === 'still building');
}

testLong('building years of one website does not keep another from building its days', async () => {
  const [long, short] = [await addWebsite(recordsOfDays(70)), await addWebsite()];
  const { statistics, days } = openStatistics();
  const order: string[] = [];
  const ask = async (name: string, website: Website, of: Statistics = statistics) => {
    await untilBuilt(website, of);
    order.push(name);
  };
  await Promise.all([ask('long', long), ask('short', short)]);
  assert.deepEqual(order, ['short', 'long']);
  await days.stop({ withinMs: 300_000 });
});

test('counts part of a past day once, however often it is compared with', async () => {
  const website = await addWebsite(recordsOfDays(6, endedDaysAgo));
  const { statistics, asked } = openStatistics();
  const [, ended = ''] = recordsOfDays(6, endedDaysAgo).map(({ day }) => day);
  const question = { period: { from: `${ended}T00:00`, to: `${ended}T23:58` }, metrics: ['visits'] };
  const first = await statistics.query(website, question);
  assert.equal(first.rows[0]?.metrics.visits, 1);
  const before = asked.length;
  assert.deepEqual((await statistics.query(website, question)).rows, first.rows);
  assert.equal(asked.length, before, 'it is kept');
  const shorter = { ...question, period: { from: `${ended}T00:00`, to: `${ended}T00:01` } };
  assert.equal(
    (await statistics.query(website, shorter)).rows[0]?.metrics.visits,
    0,
    'other minutes are others',
  );
});
