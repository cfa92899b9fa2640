import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import fc from 'fast-check';
import type { Website } from '../../src/control/websites/website-row.ts';
import { createStatistics, type Statistics } from '../../src/stats/create-statistics.ts';
import { createDayBuilder, type DayBuilder } from '../../src/stats/days/day-builder.ts';
import { QuestionError } from '../../src/stats/question/question-error.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import type { Clock } from '../../src/time/clock.ts';
import { answerOracle, type SentQuestion } from '../oracle/oracle-questions.ts';
import { funnelOracle, pathsOracle, retentionOracle } from '../oracle/oracle-reports.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { isLongForm, times } from '../support/long-form.ts';
import { askAll } from '../support/test-days.ts';
import { silentLog, startTestEngine, type TestEngine } from '../support/test-engine.ts';

// These are questions as programs send them, with every member left out and with every member present.

const timezone = 'Europe/Berlin';
const nowMs = Date.parse('2026-11-15T21:58:00Z');
const now = createLocalTime(timezone)(nowMs).at.slice(0, 16);
const dayMs = 86_400_000;
const clock: Clock = { now: () => nowMs, monotonicMs: () => performance.now() };

let engine: TestEngine;
let store: Store;
let days: DayBuilder;
let statistics: Statistics;
const websites: { website: Website; records: readonly TestRecord[] }[] = [];

before(async () => {
  engine = await startTestEngine();
  store = openStore({ socketPath: engine.socketPath, use: 'asking', log: silentLog });
  await store.migrate();
  const parts = { store, clock, completeUpToMs: clock.now };
  days = createDayBuilder({ ...parts, log: silentLog, recordsPerSlice: 1000, sharedMs: 60_000 });
  statistics = createStatistics({ ...parts, days });
  const records = longRecords();
  await addWebsite(records);
  await addWebsite(records.filter(({ hasClientId }) => !hasClientId));
});
after(async () => {
  await days.stop({ withinMs: 10_000 });
  await store.close();
  await engine.stop();
});

async function addWebsite(records: readonly TestRecord[]): Promise<void> {
  const id = 101 + websites.length;
  await insertRecords(store, id, records);
  // Beforehand, because a question does not wait long for days that have never been added up.
  await days.rebuild(id, { from: '2026-01-01', to: '2026-12-31' }, now.slice(0, 10), () => {});
  const rest = {
    contingent: null,
    createdAt: 0,
    name: '',
    version: 1,
    retentionDays: null,
    readOrigins: [],
    deletingSince: null,
  };
  websites.push({ website: { id, domain: 'a.test', timezone, ...rest }, records });
}

/** Returns more days, hours of a week, minutes of a day and values of a dimension than one page has rows. */
function longRecords(): TestRecord[] {
  const draw = (startMs: number, daysLong: number, numRuns: number) => {
    const timezones: [string, string] = [timezone, timezone];
    return fc.sample(recordsOf({ startMs, days: daysLong, timezones }), { numRuns, seed: 17 }).flat();
  };
  const today = draw(nowMs - 20 * 3_600_000, 1, 4).filter(({ receivedAtMs }) => receivedAtMs <= nowMs);
  const drawn = [...draw(nowMs - 138 * dayMs, 20, 2), ...draw(nowMs - 8 * dayMs, 6, 6), ...today];
  const local = createLocalTime(timezone);
  const daily = Array.from({ length: 140 }, (_, ago): TestRecord => {
    const receivedAtMs = nowMs - 3_600_000 - ago * dayMs;
    const { day, at } = local(receivedAtMs);
    const own = { visitorId: BigInt(1_000_000 + ago), hasClientId: false, isBot: false, bot: '' };
    return {
      ...drawn[ago % drawn.length]!,
      receivedAtMs,
      day,
      localAt: at,
      ...own,
      city: `City ${ago % 120}`,
    };
  });
  return [...drawn, ...daily];
}

let askedQuestions = 0;

/** In the short form, two questions go to one website, and then two to the next. */
function nextWebsites(): typeof websites {
  if (isLongForm) return websites;
  const at = Math.floor(askedQuestions / 2) % websites.length;
  askedQuestions += 1;
  return [websites[at]!];
}

async function assertAnswer(sent: SentQuestion): Promise<void> {
  for (const { website, records } of nextWebsites()) {
    const { rows, totalRows } = await statistics.query(website, sent);
    assert.deepEqual({ rows, totalRows }, answerOracle(records, sent, now), JSON.stringify(sent));
  }
}

const periods: SentQuestion['period'][] = [
  undefined,
  'today',
  '7d',
  '130d',
  'all',
  { from: '2026-07-01', to: '2026-11-08' },
  { lastMinutes: 600 },
];
const intervalsOf = (period: SentQuestion['period']): SentQuestion['interval'][] => {
  const isShort = period === 'today' || (typeof period === 'object' && 'lastMinutes' in period);
  const areHours = isShort || period === '7d' || period === undefined;
  return [
    undefined,
    ...(isShort ? (['minute'] as const) : []),
    ...(areHours ? (['hour'] as const) : []),
    'day',
    'week',
    'month',
  ];
};
const asMember = <Name extends keyof SentQuestion>(name: Name, value: SentQuestion[Name]) =>
  value === undefined ? {} : { [name]: value };

test('a series is whole whatever is left out', async () => {
  const questions = periods.flatMap((period) =>
    intervalsOf(period).flatMap((interval) =>
      [{}, { compare: 'previousPeriod' as const, limit: 5 }].map(
        (more): SentQuestion => ({
          ...asMember('period', period),
          ...asMember('interval', interval),
          ...more,
        }),
      ),
    ),
  );
  await askAll(questions, assertAnswer);
  const { rows } = await statistics.query(websites[0]!.website, { period: '130d', interval: 'day' });
  assert.equal(rows.filter(({ metrics }) => metrics.visitors! > 0).length, 130);
});

test('a list, and a series of each of its values, are answered as the question defines', async () => {
  const lists: NonNullable<SentQuestion['dimensions']>[] = [['city'], ['event'], ['page', 'country']];
  const questions = [undefined, '7d', '130d', { lastMinutes: 600 }].flatMap((period) =>
    lists.flatMap((dimensions) => [
      ...[undefined, 'day' as const].map((interval) => ({
        ...asMember('period', period),
        ...asMember('interval', interval),
        dimensions,
      })),
      { ...asMember('period', period), dimensions, compare: 'previousPeriod' as const },
    ]),
  );
  await askAll<SentQuestion>(questions, assertAnswer);
});

test('any members together with any others are answered as they are defined', async () => {
  const metric = fc.constantFrom('visitors', 'visits', 'pageViews', 'events', 'bounceRate', 'visitDuration');
  const question = fc
    .record(
      {
        period: fc.constantFrom(...periods.filter((period) => period !== undefined)),
        interval: fc.constantFrom('hour', 'day', 'week', 'month'),
        metrics: fc.uniqueArray(metric, { minLength: 1, maxLength: 3 }),
        dimensions: fc.constantFrom([], ['city'], ['weekday'], ['country', 'event'], ['page', 'city']),
        filters: fc.constantFrom(
          [],
          [{ dimension: 'country', is: 'DE' }],
          [{ dimension: 'page', contains: '/' }],
        ),
        compare: fc.constantFrom('previousPeriod', 'previousYear'),
        order: fc.uniqueArray(fc.record({ by: fc.oneof(metric, fc.constant('dimension')) }), {
          maxLength: 2,
        }),
        limit: fc.constantFrom(1, 7, 500),
        offset: fc.constantFrom(0, 3, 120),
      },
      { requiredKeys: [] },
    )
    .map((drawn) => drawn as SentQuestion);
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 20, maxLength: 20 }), async (drawn) => {
      await askAll(drawn, async (sent) => {
        const isRefused = refusalOf(sent) !== undefined;
        if (!isRefused) return await assertAnswer(sent);
        const refused = statistics.query(websites[0]!.website, sent);
        await assert.rejects(
          refused,
          { name: 'QuestionError', message: refusalOf(sent)! },
          JSON.stringify(sent),
        );
      });
    }),
    { numRuns: times(1, 40), endOnFailure: true },
  );
});

/** Returns a pattern of the reasons to refuse a question, or undefined if the question is valid. */
function refusalOf(sent: SentQuestion): RegExp | undefined {
  const { period = '30d', interval, dimensions = [], order = [], offset = 0, compare } = sent;
  const isLong = period === '130d' || period === 'all' || (typeof period === 'object' && 'from' in period);
  const isList = dimensions.length > 0;
  const reasons = [
    interval === 'hour' && isLong && 'interval: expected at most 3000 intervals',
    !isList && offset > 0 && 'offset: expected only with dimensions',
    !isList && interval !== undefined && order.length > 0 && 'order: expected only with dimensions',
    isList && interval !== undefined && compare !== undefined && 'compare: expected with an interval or with',
  ].filter((reason) => reason !== false);
  return reasons.length === 0 ? undefined : new RegExp(`^(?:${reasons.join('|')})`);
}

test('a comparison with more intervals than can be listed is refused before anything is read', async () => {
  const compare = { from: '2007-01-01', to: '2026-01-01' };
  const asked = statistics.query(websites[0]!.website, { period: 'today', interval: 'minute', compare });
  await assert.rejects(
    asked,
    (error) => error instanceof QuestionError && /^compare: expected at most/.test(error.message),
  );
});

test('bots are those of the minutes that are asked for, and counted behind the last row too', async () => {
  const { website, records } = websites[0]!;
  const bots = records.filter(({ isBot }) => isBot);
  const since = (minutes: number) => {
    const start = Date.parse(`${now.replace(' ', 'T')}Z`) - (minutes - 1) * 60_000;
    return bots.filter(({ localAt }) => Date.parse(`${localAt.replace(' ', 'T')}Z`) >= start).length;
  };
  const [hours] = (await statistics.bots(website, { period: { lastMinutes: 600 } })).rows;
  assert.equal(hours?.records, since(600));
  assert.ok(since(600) > 0 && since(600) < since(1440));
  const monthStart = '2026-10-17';
  const ofMonth = bots.filter(({ day }) => day >= monthStart);
  assert.deepEqual((await statistics.bots(website, {})).rows[0]?.records, ofMonth.length);
  const behind = await statistics.bots(website, { dimensions: ['page'], offset: 100 });
  assert.deepEqual([behind.rows, behind.totalRows], [[], new Set(ofMonth.map(({ path }) => path)).size]);
});

test('reports are about what they say when members are left out', async () => {
  const day = (ago: number) =>
    new Date(Date.parse(now.slice(0, 10)) - ago * dayMs).toISOString().slice(0, 10);
  const lastDays = (count: number) => ({ period: { from: day(count - 1), to: day(0) }, filters: [] });
  const steps = [{ page: '/' }, { page: '/pricing' }];
  for (const { website, records } of websites) {
    const funnel = await statistics.funnel(website, { steps });
    const inVisits = { ...lastDays(30), steps, within: 'visit' as const };
    assert.deepEqual(funnel.steps, funnelOracle(records, inVisits).steps);
    const { cohorts, visitorsWithoutClientId } = await statistics.retention(website, {});
    assert.deepEqual({ cohorts, visitorsWithoutClientId }, retentionOracle(records, lastDays(90)));
    const {
      visits,
      entries,
      exits,
      before: earlier,
      after: later,
    } = await statistics.paths(website, { page: '/' });
    assert.deepEqual(
      { visits, entries, exits, before: earlier, after: later },
      pathsOracle(records, { ...lastDays(30), page: '/', steps: 2, limit: 10 }),
    );
  }
});
