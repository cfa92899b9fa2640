import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { intervals } from '@trackside/contract/calendar/intervals.ts';
import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import { type MetricName, metricNames } from '@trackside/contract/stats/metrics.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import fc from 'fast-check';
import { createDayBuilder, type DayBuilder } from '../../src/stats/days/day-builder.ts';
import { type AskInTurn, createAskInTurn } from '../../src/stats/plan/ask-in-turn.ts';
import { countTogether, createSources } from '../../src/stats/plan/plan-screen.ts';
import { dimensions } from '../../src/stats/question/dimensions.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import { askVisits, type CountedRow } from '../../src/stats/sql/ask-visits.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { askOracle } from '../oracle/oracle.ts';
import { type Calendar, insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { isLongForm, times } from '../support/long-form.ts';
import { askAll } from '../support/test-days.ts';
import { silentLog, startTestEngine, type TestEngine } from '../support/test-engine.ts';

let engine: TestEngine;
let store: Store;
let askInTurn: AskInTurn;
let days: DayBuilder;
let slicedDays: DayBuilder;
const sources = createSources();
let lastWebsite = 100;

before(async () => {
  engine = await startTestEngine();
  store = openStore({ socketPath: engine.socketPath, use: 'asking', log: silentLog });
  await store.migrate();
  askInTurn = createAskInTurn(store);
  const options = { store, clock: systemClock, completeUpToMs: Date.now, log: silentLog, sharedMs: 0 };
  days = createDayBuilder({ ...options, recordsPerSlice: 1000 });
  // Most days have more records than a slice here, so they are built in several slices.
  slicedDays = createDayBuilder({ ...options, recordsPerSlice: 20 });
});
after(async () => {
  await days.stop({ withinMs: 10_000 });
  await slicedDays.stop({ withinMs: 10_000 });
  await store.close();
  await engine.stop();
});

const names = Object.keys(dimensions) as DimensionName[];
const whole: Question = {
  period: { from: '2026-01-01', to: '2026-12-31' },
  metrics: metricNames,
  dimensions: [],
  filters: [],
  order: [],
  limit: 10_000,
  offset: 0,
};
const calendars: Record<string, Calendar> = {
  'days with a change to summer time': {
    startMs: Date.parse('2026-03-28T20:00:00Z'),
    days: 2,
    timezones: ['Europe/Berlin', 'Europe/Berlin'],
  },
  'days with a change from summer time': {
    startMs: Date.parse('2026-10-24T18:00:00Z'),
    days: 2,
    timezones: ['Europe/Berlin', 'Europe/Berlin'],
  },
  "a change of the website's timezone": {
    startMs: Date.parse('2026-05-29T00:00:00Z'),
    days: 4,
    timezones: ['America/Los_Angeles', 'Asia/Tokyo'],
  },
};

const shown = (rows: readonly CountedRow[]) =>
  rows.map(({ time, values, counts }) => JSON.stringify({ time: time ?? null, values, counts })).toSorted();

async function prepare(records: readonly TestRecord[], { batches = 1, builder = days } = {}) {
  lastWebsite += 1;
  const size = Math.ceil(records.length / batches);
  for (let batch = 0; batch < batches; batch += 1) {
    const part = records.slice(batch * size, (batch + 1) * size);
    if (part.length > 0) await insertRecords(store, lastWebsite, part, batch + 1);
  }
  const website = askInTurn({ websiteId: lastWebsite, by: 'user' });
  const ready = await builder.ready(lastWebsite, whole.period, '2026-11-15');
  return { website, ready };
}

/** Asks the visits and the source that would be chosen. Both must agree with the oracle. */
async function assertAgrees(
  { website, ready }: Awaited<ReturnType<typeof prepare>>,
  records: readonly TestRecord[],
  question: Question,
): Promise<string> {
  const expected = shown(askOracle(records, question));
  const chosen = await countTogether(website, [question], ready, sources)[0]!;
  if (chosen.from === 'rollups') {
    const visits = await askVisits(website, question, ready.builds);
    assert.deepEqual(shown(visits.rows), expected, JSON.stringify(question));
  }
  assert.deepEqual(shown(chosen.rows), expected, `${chosen.from}: ${JSON.stringify(question)}`);
  assert.equal(chosen.totalRows, expected.length);
  return chosen.from;
}

/** Returns filters by values that occur in the records and by values that don't. */
function filtersOn(name: DimensionName): Filter[] {
  const key: Key = { dimension: name };
  const ofs: Key[] =
    dimensions[name].level === 'list' ? [key, { ...key, of: 'plan' }, { ...key, of: 'a' }] : [key];
  const values = [
    '',
    'Berlin',
    '/',
    'DE',
    '10',
    "'; drop",
    '1920×1080',
    'new',
    'Firefox 145',
    'Signup',
    '__proto__',
  ];
  return ofs.flatMap((each) => [
    ...values.slice(0, 2).map((value) => ({ ...each, isNot: value })),
    ...values.slice(0, 7).map((value) => ({ ...each, is: value })),
    { ...each, contains: 'E' },
    { ...each, contains: "'" },
    { ...each, anyOf: values },
    { ...each, anyOf: [] },
  ]);
}

/** In the short form, returns one to three filters of each kind, with other values for each dimension. */
function someFiltersOn(name: DimensionName, index: number): Filter[] {
  if (isLongForm) return filtersOn(name);
  const byKind = Object.groupBy(filtersOn(name), ({ dimension, ...kind }) => Object.keys(kind).join());
  return Object.values(byKind).flatMap((filters) =>
    filters!.filter((_, at) => (at + index) % Math.min(filters!.length, 3) === 0),
  );
}

for (const [index, [name, calendar]] of Object.entries(calendars).entries()) {
  test(`agrees with the oracle for every dimension and interval, on ${name}`, async () => {
    const records = fc.sample(recordsOf(calendar), { numRuns: 2, seed: 7 }).flat();
    // One website has days that are built whole, and the other has days that are built in slices.
    const [one, other] = index % 2 === 0 ? [days, slicedDays] : [slicedDays, days];
    const prepared = await prepare(records, { batches: 3, builder: one });
    const withoutClients = records.filter(({ hasClientId }) => !hasClientId);
    const preparedWithout = await prepare(withoutClients, { batches: 3, builder: other });
    const asked = new Set<string>();
    const ofIntervals = intervals.map((interval) => ({ ...whole, interval }));
    const ofDimensions = names.map((dimension) => ({ ...whole, dimensions: [{ dimension }] }));
    // The short form asks each website for each dimension on at least one of the calendars.
    const third = ofDimensions.filter((_, at) => isLongForm || at % 3 === index);
    await askAll([...third, ...ofIntervals], async (question) => {
      asked.add(await assertAgrees(prepared, records, question));
    });
    const most = index === 0 ? ofDimensions : third;
    await askAll([...most, ...ofIntervals], async (question) => {
      asked.add(await assertAgrees(preparedWithout, withoutClients, question));
    });
    assert.deepEqual(asked, new Set(['visits', 'rollups']));
  });
}

test('agrees with the oracle for every filter on every dimension', async () => {
  const calendar = calendars['days with a change to summer time']!;
  const records = fc.sample(recordsOf(calendar), { numRuns: 2, seed: 11 }).flat();
  const prepared = await prepare(records);
  const questions = names
    .flatMap(someFiltersOn)
    .map((filter) => ({ ...whole, filters: [filter], goal: 'Signup' }));
  await askAll(questions, (question) => assertAgrees(prepared, records, question));
});

test('the lists of a screen, asked together, are what each of them is alone', async () => {
  const drawn = fc
    .sample(recordsOf(calendars['days with a change to summer time']!), { numRuns: 2, seed: 5 })
    .flat();
  const plain = drawn.filter(({ hasClientId }) => !hasClientId);
  const [withClients, without] = [await prepare(drawn), await prepare(plain)];
  const rolledUp = names.filter((name) => dimensions[name].isRolledUp);
  const filters: Filter[] = [
    { dimension: 'page', contains: '/' },
    { dimension: 'language', is: 'en' },
  ];
  const cases = [
    { ...without, filters: [] },
    { ...without, filters },
    { ...withClients, filters: [] },
  ];
  const from = new Set<string>();
  for (const [index, { website, ready, filters: of }] of cases.entries()) {
    const by = (['visitors', 'pageViews', 'bounceRate'] as const)[index]!;
    const base = { ...whole, filters: of, ...(index === 1 && { goal: 'Signup' }) };
    const questions: Question[] = [
      ...rolledUp.map((dimension) => ({
        ...base,
        dimensions: [{ dimension }],
        limit: 3,
        order: [{ by, descending: index !== 1 }],
      })),
      {
        ...base,
        dimensions: [{ dimension: 'country' }],
        limit: 2,
        order: [{ by: 'events', descending: true }],
      },
      base,
      ...intervals.map((interval) => ({ ...base, interval })),
      { ...base, filters: [{ dimension: 'country', is: 'nowhere' }] },
    ];
    const together = await Promise.all(countTogether(website, questions, ready, sources));
    for (const [at, question] of questions.entries()) {
      // In the short form, every other answer of the second and third case is compared.
      if (!isLongForm && index > 0 && (at + index) % 2 === 0) continue;
      const { from: answeredFrom, ...found } = together[at]!;
      from.add(answeredFrom);
      assert.deepEqual(found, await askVisits(website, question, ready.builds), JSON.stringify(question));
    }
  }
  assert.deepEqual(from, new Set(['rollups', 'visits']));
});

/** Whether only the visits can answer a question of the next test. A list of pages can be filtered by pages. */
const isOfVisits = ({ filters, dimensions: [key] }: Question) =>
  filters.length > 0 && key?.dimension !== 'page';

test('lists and days in memory match the store, even after a day has changed', async () => {
  const drawn = fc
    .sample(recordsOf(calendars['days with a change to summer time']!), { numRuns: 2, seed: 31 })
    .flat()
    .filter(({ hasClientId }) => !hasClientId);
  const [early, late] = [drawn.filter((_, at) => at % 3 > 0), drawn.filter((_, at) => at % 3 === 0)];
  const today = '2026-03-30';
  const { website } = await prepare(early);
  const rolledUp = names
    .filter((name) => dimensions[name].isRolledUp)
    .filter((_, at) => isLongForm || at % 2 === 0);
  const kept = [
    createSources(),
    createSources({ keptValues: 10_000, valuesOfOne: 2 }),
    createSources({ keptValues: 5, valuesOfOne: 4_000 }),
  ];
  const assertAll = async (by: MetricName) => {
    await days.rebuild(website.websiteId, whole.period, today, () => {});
    const ready = await days.ready(website.websiteId, whole.period, today);
    assert.ok(ready.days.some(({ isOpen }) => isOpen) && ready.days.some(({ isOpen }) => !isOpen));
    const lists = rolledUp.map((dimension) => ({
      ...whole,
      dimensions: [{ dimension }],
      limit: 4,
      order: [{ by, descending: true }],
    }));
    const all = [...lists, whole, { ...whole, interval: 'day' as const }];
    const filters: Filter[] = [{ dimension: 'page', contains: '/b' }];
    const filtered = all.filter((_, at) => isLongForm || at % 3 === 0).map((one) => ({ ...one, filters }));
    await askAll<Question>([...all, ...filtered], async (question) => {
      const expected = await askVisits(website, question, ready.builds);
      for (const keptSources of kept) {
        const { from, ...found } = await countTogether(website, [question], ready, keptSources)[0]!;
        assert.equal(from === 'visits', isOfVisits(question));
        assert.deepEqual(found, expected, `${JSON.stringify(question.dimensions)} by ${by}`);
      }
    });
  };
  await assertAll('visitors');
  await insertRecords(store, website.websiteId, late, 2);
  await assertAll('visitDuration');
});

test('agrees with the oracle on random records and questions', async () => {
  const key: fc.Arbitrary<Key> = fc
    .constantFrom(...names)
    .chain((dimension) =>
      dimensions[dimension].level === 'list' && dimension !== 'parameterName'
        ? fc.constantFrom<Key>({ dimension }, { dimension, of: 'plan' }, { dimension, of: 'a' })
        : fc.constant<Key>({ dimension }),
    );
  const isList = ({ dimension }: Key) => dimensions[dimension].level === 'list';
  const keys = fc
    .uniqueArray(key, { maxLength: 3, selector: ({ dimension }) => dimension })
    .filter((chosen) => chosen.filter(isList).length < 2);
  const filter = fc.constantFrom(...names).chain((dimension) => fc.constantFrom(...filtersOn(dimension)));
  const question = fc.record(
    {
      period: fc.constantFrom<Question['period']>(
        whole.period,
        { from: '2026-03-29', to: '2026-03-29' },
        { from: '2026-03-29', to: '2026-03-30', fromTime: '01:30', toTime: '04:10' },
      ),
      interval: fc.constantFrom(...intervals),
      dimensions: keys,
      filters: fc.array(filter, { maxLength: 2 }),
      goal: fc.constantFrom('Signup', '__proto__'),
    },
    { requiredKeys: ['period', 'dimensions', 'filters'] },
  );
  const dataset = recordsOf(calendars['days with a change to summer time']!);
  await fc.assert(
    fc.asyncProperty(
      dataset,
      fc.boolean(),
      fc.boolean(),
      fc.array(question, { minLength: 15, maxLength: 15 }),
      async (drawn, withClients, isSliced, questions) => {
        const records = withClients ? drawn : drawn.filter(({ hasClientId }) => !hasClientId);
        const prepared = await prepare(records, { builder: isSliced ? slicedDays : days });
        const complete = questions.map((drawnQuestion) => ({ ...whole, ...drawnQuestion }));
        await askAll(complete, (each) => assertAgrees(prepared, records, each));
      },
    ),
    { numRuns: times(2, 80) },
  );
});
