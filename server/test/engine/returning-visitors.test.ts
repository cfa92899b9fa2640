import assert from 'node:assert/strict';
import { metricNames } from '@trackside/contract/stats/metrics.ts';
import fc from 'fast-check';
import { createFakeClock } from '../../src/control/test-control.ts';
import { createDayBuilder } from '../../src/stats/days/day-builder.ts';
import { type LargeDays, usualLargeDays } from '../../src/stats/days/large-days.ts';
import { createAskInTurn } from '../../src/stats/plan/ask-in-turn.ts';
import { countTogether, createSources } from '../../src/stats/plan/plan-screen.ts';
import { metrics } from '../../src/stats/question/metrics.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import type { CountedRow } from '../../src/stats/sql/ask-visits.ts';
import type { Store } from '../../src/store/open-store.ts';
import type { WebsiteStore } from '../../src/store/website-store.ts';
import { askOracle } from '../oracle/oracle.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { testLong } from '../support/long-form.ts';
import { silentLog } from '../support/test-engine.ts';
import { emptyTables, shareSweptStore } from '../support/test-store.ts';

// Visitors with a ClientId who come on several days, while the last two of these days still change.

const { store } = await shareSweptStore();

const [yesterday, today] = ['2026-04-09', '2026-04-10'];
const startMs = Date.parse('2026-04-01T00:00:00Z');
const whole: Question = {
  period: { from: '2026-04-01', to: '2026-04-30' },
  metrics: metricNames,
  dimensions: [],
  filters: [],
  order: [{ by: 'visitors', descending: true }],
  limit: 100,
  offset: 0,
};
const listOf = (dimension: Question['dimensions'][number]['dimension']): Question => ({
  ...whole,
  dimensions: [{ dimension }],
});
const questions: Question[] = [
  whole,
  { ...whole, interval: 'week' },
  listOf('country'),
  listOf('exitPage'),
  { ...listOf('page'), metrics: ['pageViews'], order: [{ by: 'pageViews', descending: true }] },
  listOf('event'),
  { ...whole, filters: [{ dimension: 'page', is: '/pricing' }], goal: { event: 'Signup' } },
  { ...listOf('browser'), filters: [{ dimension: 'country', isNot: 'DE' }] },
];
/** No visitor occurs twice in a day or an hour, so these are added up from those of each day. */
const series: Question[] = [
  { ...whole, metrics: ['visitors'], interval: 'day' },
  { ...whole, interval: 'hour' },
];
/** Shows the metrics that were asked for. */
const shown = (question: Question, rows: readonly CountedRow[]) =>
  rows
    .map(({ time, values, counts }) => {
      const numbers = question.metrics.map((name) => metrics[name].of(counts));
      return JSON.stringify({ time, values, numbers });
    })
    .toSorted();

/** Lists of visits and of records, with the whole. */
const screen = [whole, listOf('country'), listOf('page'), listOf('event')];

let lastWebsite = 0;

/** Opens another website, and notes the statements that look for visits of anybody, or of those in a change. */
function open(largeDays: LargeDays, recordsPerSlice = 60) {
  lastWebsite += 1;
  const websiteId = lastWebsite;
  const clock = createFakeClock(`${today}T23:59:00Z`);
  const loader = { completeMs: 0 };
  const looksAtAll: string[] = [];
  const looksAtChange: string[] = [];
  const noted = (website: WebsiteStore): WebsiteStore => ({
    ...website,
    withSignal: (signal) => noted(website.withSignal(signal)),
    query: (statement) => {
      const isAboutChange = / as is_now\b/.test(statement.query);
      if (isAboutChange) looksAtChange.push(statement.query);
      else if (/from (visits|rollups)/.test(statement.query)) looksAtAll.push(statement.query);
      return website.query(statement);
    },
  });
  const ofWebsite: Store['ofWebsite'] = (id) => noted(store.ofWebsite(id));
  const completeUpToMs = () => loader.completeMs;
  const of = { store, clock, completeUpToMs, log: silentLog, largeDays };
  const days = createDayBuilder({ ...of, recordsPerSlice, sharedMs: 0, patienceMs: 300_000 });
  const asked = createAskInTurn({ ofWebsite })({ websiteId, by: 'user' });
  let batch = 0;
  return {
    websiteId,
    days,
    asked,
    looksAtAll,
    looksAtChange,
    async add(records: readonly TestRecord[], completeMs = records.at(-1)!.receivedAtMs) {
      batch += 1;
      await insertRecords(store, websiteId, records, batch);
      loader.completeMs = completeMs;
      clock.pass(10_000);
    },
    ready: () => days.ready(websiteId, whole.period, today),
  };
}

/** Returns records of ten days, in the order in which they were received. */
function drawDays(seed: number): TestRecord[] {
  const calendar = { startMs, days: 10, timezones: ['UTC', 'UTC'] as [string, string] };
  return fc
    .sample(recordsOf(calendar), { numRuns: 4, seed })
    .flat()
    .filter(({ day, receivedAtMs }) => isReceivedBefore(today, receivedAtMs) || isOfToday(day, receivedAtMs))
    .toSorted((a, b) => a.receivedAtMs - b.receivedAtMs);
}

const isReceivedBefore = (day: string, ms: number) => ms < Date.parse(`${day}T00:00:00Z`);
/** What comes today happened today. A test adds a late record where one is to change a day before. */
const isOfToday = (day: string, ms: number) => day === today && ms < Date.parse(`${today}T23:59:00Z`);

/** Whether enough of today's records are left. */
const hasToday = (records: readonly TestRecord[]) => records.filter(({ day }) => day === today).length > 8;

/** Returns how many records there are up to the millisecond of the one before `end`. */
function afterMoment(records: readonly TestRecord[], end: number): number {
  const lastMs = records[Math.min(end, records.length) - 1]!.receivedAtMs;
  return 1 + records.findLastIndex(({ receivedAtMs }) => receivedAtMs <= lastMs);
}

const never = { share: 1, least: Number.MAX_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };
const sizes = {
  small: usualLargeDays,
  large: {
    ...usualLargeDays,
    fromRecords: 0,
    change: { share: 1, least: 0 },
    renewal: never,
    lookFromClients: 0,
  },
};

testLong('does not look at all visits when it is known who was there before', async () => {
  await emptyTables(store);
  for (let seed = 1; seed <= 40; seed += 1) {
    const [late, ...records] = drawDays(seed).filter(({ isBot }) => !isBot);
    const opened = open(sizes.large, 60);
    const unfiltered = questions.filter(({ filters }) => filters.length === 0);
    const assertCounted = async (counted: readonly TestRecord[]) => {
      opened.looksAtAll.length = 0;
      const answers = countTogether(opened.asked, unfiltered, await opened.ready(), createSources());
      for (const [at, question] of unfiltered.entries()) {
        const { rows } = await answers[at]!;
        const expected = shown(question, askOracle(counted, question));
        assert.deepEqual(shown(question, rows), expected, JSON.stringify(question));
      }
      return opened.looksAtAll.filter((query) => /from visits/.test(query)).length;
    };
    await opened.add(records);
    await opened.ready();
    await opened.days.sweep(yesterday);
    assert.equal(await assertCounted(records), 0, 'sums, less those who were there before');
    // The days, all lists, the looks, and who came again: for the lists with the total, and for weeks.
    assert.equal(opened.looksAtAll.length, 5, opened.looksAtAll.join());
    // A process that ends halfway leaves rows of an incomplete look.
    await store.ofWebsite(opened.websiteId).run({
      query: `
        insert into closed_rollups
        select * replace (look + 1 as look)
        from closed_rollups
        where website_id = {website_id:UInt32} and endsWith(dimension, ' again')`,
    });
    assert.equal(await assertCounted(records), 0, 'they are not taken off twice');
    await opened.add([late!], records.at(-1)!.receivedAtMs);
    assert.notEqual(await assertCounted([late!, ...records]), 0, 'one of the days before has changed');
    await opened.days.sweep(yesterday);
    assert.equal(await assertCounted([late!, ...records]), 0, 'it is known again');
    const plan = await store.ofWebsite(opened.websiteId).query<{ explain: string }>({
      query: `
        explain indexes = 1
        select count() from visits
        where website_id = {website_id:UInt32} and visitor_id in (select visitor_id from open_visits)`,
    });
    const text = plan.map(({ explain }) => explain).join('\n');
    assert.match(text, /Name: visitors\b/, 'the visitors of a change are found by an index');
    await opened.days.stop({ withinMs: 300_000 });
  }
});

for (const [size, largeDays] of Object.entries(sizes))
  testLong(`counts returning visitors once, whatever has changed on ${size} days`, async () => {
    const drawn = Array.from({ length: 40 }, (_, at) => drawDays(at + 1)).filter(hasToday);
    assert.ok(drawn.length > 0);
    await emptyTables(store);
    for (const records of drawn) {
      const opened = open(largeDays);
      const sources = createSources();
      const firstOfToday = records.findIndex(({ day }) => day === today);
      const step = Math.ceil((records.length - firstOfToday) / 3);
      let loaded = 0;
      for (let end = firstOfToday + 2; loaded < records.length; end = loaded + step) {
        const complete = afterMoment(records, end);
        await opened.add(records.slice(loaded, complete));
        loaded = complete;
        let ready = await opened.ready();
        // On a busy machine, an answer doesn't wait for the change. It is looked at when it is there.
        while (ready.asOfMs < records[loaded - 1]!.receivedAtMs) ready = await opened.ready();
        const counted = records.filter(({ receivedAtMs }) => receivedAtMs <= ready.asOfMs);
        const assertCounted = async (asked: readonly Question[]) => {
          const answers = countTogether(opened.asked, asked, ready, sources);
          for (const [at, question] of asked.entries()) {
            const { rows } = await answers[at]!;
            const expected = shown(question, askOracle(counted, question));
            assert.deepEqual(shown(question, rows), expected, JSON.stringify(question));
          }
        };
        await assertCounted(series);
        opened.looksAtChange.length = 0;
        await assertCounted(screen);
        if (size === 'large' && end > firstOfToday + 2)
          assert.equal(opened.looksAtChange.length, 1, 'one statement for all lists');
        opened.looksAtAll.length = 0;
        await assertCounted(questions);
        if (end > firstOfToday + 2)
          assert.deepEqual(opened.looksAtAll, [], 'only visitors of today are looked at');
      }
      await opened.days.stop({ withinMs: 300_000 });
    }
  });
