import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { intervals } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import { type MetricName, metricNames } from '@trackside/contract/stats/metrics.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import fc from 'fast-check';
import { usualListLimits } from '../../src/stats/cache/ask-lists.ts';
import { createAskInTurn } from '../../src/stats/plan/ask-in-turn.ts';
import { countTogether, createSources, type Sources } from '../../src/stats/plan/plan-screen.ts';
import { dimensions } from '../../src/stats/question/dimensions.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import { askVisits, type CountedRow } from '../../src/stats/sql/ask-visits.ts';
import { askOracle } from '../oracle/oracle.ts';
import { type Calendar, insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { isLongForm, testLong, times } from '../support/long-form.ts';
import { askAll, openDayBuilder, untilReady } from '../support/test-days.ts';
import { newWebsiteId, shareTestStore } from '../support/test-store.ts';

const { store } = await shareTestStore();
const askInTurn = createAskInTurn(store);
const days = openDayBuilder(store);
// Most days have more records than a slice here, so they are built in several slices.
const slicedDays = openDayBuilder(store, { recordsPerSlice: 30 });
const sources = createSources();
after(async () => {
  await days.stop({ withinMs: 300_000 });
  await slicedDays.stop({ withinMs: 300_000 });
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

async function prepare(
  records: readonly TestRecord[],
  {
    batches = 1,
    sliced,
  }: {
    batches?: number;
    /** The days that are built in slices. The others are built whole. */
    sliced?: Period;
  } = {},
) {
  const websiteId = newWebsiteId();
  const size = Math.ceil(records.length / batches);
  for (let batch = 0; batch < batches; batch += 1) {
    const part = records.slice(batch * size, (batch + 1) * size);
    if (part.length > 0) await insertRecords(store, websiteId, part, batch + 1);
  }
  const website = askInTurn({ websiteId, by: 'user' });
  // Not by asking for them, because a question does not wait long for days that have never been added up.
  if (sliced !== undefined) await slicedDays.rebuild(websiteId, sliced, '2026-11-15', () => {});
  const ready = await untilReady(days, websiteId, whole.period, '2026-11-15');
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

/** Asks all of the questions at once. The sums must answer some of them. */
async function assertAgreeTogether(
  { website, ready }: Awaited<ReturnType<typeof prepare>>,
  records: readonly TestRecord[],
  questions: readonly Question[],
): Promise<'rollups'> {
  const answers = await Promise.all(countTogether(website, questions, ready, sources));
  for (const [at, question] of questions.entries()) {
    const { rows, totalRows } = answers[at]!;
    const expected = shown(askOracle(records, question));
    assert.deepEqual([shown(rows), totalRows], [expected, expected.length], JSON.stringify(question));
  }
  assert.ok(answers.some(({ from }) => from === 'rollups'));
  return 'rollups';
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

/**
 * In the short form, returns one filter of each kind on the first dimension of each level. On any other, it
 * returns the one by all values.
 */
function someFiltersOn(name: DimensionName, index: number): Filter[] {
  const all = filtersOn(name);
  if (isLongForm) return all;
  const byKind = Object.values(Object.groupBy(all, ({ dimension, ...kind }) => Object.keys(kind).join()));
  const one = byKind.map((filters) => filters![index % filters!.length]!);
  const isFirst = names.find((other) => dimensions[other].level === dimensions[name].level) === name;
  if (isFirst) return one;
  return [all.find((filter) => 'anyOf' in filter && filter.anyOf.length > 0)!];
}

/** Adds a website with records of all these days, and one with those of them that have no ClientId. */
async function preparePair(of: readonly Calendar[]) {
  const records = of.flatMap((calendar) =>
    fc.sample(recordsOf(calendar), { numRuns: times(1, 2), seed: 7 }).flat(),
  );
  const withoutClients = records.filter(({ hasClientId }) => !hasClientId);
  return {
    records,
    prepared: await prepare(records, { batches: 3, sliced: { from: '2026-05-01', to: '2026-12-31' } }),
    withoutClients,
    preparedWithout: await prepare(withoutClients, {
      batches: 3,
      ...(isLongForm && { sliced: { from: '2026-01-01', to: '2026-04-30' } }),
    }),
  };
}

let ofAllCalendars: ReturnType<typeof preparePair> | undefined;
/** Returns the websites that several tests ask, with the days of all calendars. */
const prepareAllCalendars = () => (ofAllCalendars ??= preparePair(Object.values(calendars)));

// In the short form, one website has the days of all calendars.
const tested = isLongForm
  ? Object.entries(calendars).map(([name, calendar]) => ({ name, prepared: () => preparePair([calendar]) }))
  : [{ name: Object.keys(calendars).join(' and '), prepared: prepareAllCalendars }];
for (const { name, prepared: preparedFor } of tested) {
  test(`agrees with the oracle for every dimension and interval, on ${name}`, async () => {
    const { prepared, records, preparedWithout, withoutClients } = await preparedFor();
    const asked = new Set<string>();
    const ofIntervals = intervals.map((interval) => ({ ...whole, interval }));
    const ofDimensions = names.map((dimension) => ({ ...whole, dimensions: [{ dimension }] }));
    await askAll<Question>([...ofDimensions, ...ofIntervals], async (question) => {
      asked.add(await assertAgrees(prepared, records, question));
    });
    const ofWithout: Question[] = [...ofDimensions, ...ofIntervals];
    if (isLongForm)
      await askAll(ofWithout, async (question) => {
        asked.add(await assertAgrees(preparedWithout, withoutClients, question));
      });
    else asked.add(await assertAgreeTogether(preparedWithout, withoutClients, ofWithout));
    assert.deepEqual(asked, new Set(['visits', 'rollups']));
  });
}

test('agrees with the oracle for every filter on every dimension', async () => {
  const { prepared, records } = await prepareAllCalendars();
  const questions = names
    .flatMap(someFiltersOn)
    .map((filter) => ({ ...whole, filters: [filter], goal: { event: 'Signup' } }));
  await askAll(questions, (question) => assertAgrees(prepared, records, question));
});

testLong('the lists of a screen, asked together, are the same as alone', async () => {
  const { prepared: withClients, preparedWithout: without } = await prepareAllCalendars();
  const rolledUp = names.filter((name) => dimensions[name].isRolledUp);
  const filters: Filter[] = [
    { dimension: 'page', contains: '/' },
    { dimension: 'language', is: 'en' },
  ];
  // Filters that match few visits have a different kind of statement, which must be right for many, too.
  const few: Sources = { ...createSources({ ...usualListLimits, manyRecords: 0 }), sharesOf: async () => 0 };
  const many = createSources({ ...usualListLimits, manyRecords: 0 });
  const cases = [
    { ...without, filters: [], from: sources },
    { ...without, filters, from: sources },
    { ...withClients, filters: [], from: sources },
    { ...without, filters, from: few },
    { ...withClients, filters, from: few },
    { ...without, filters, from: many },
    { ...withClients, filters, from: many },
  ];
  const from = new Set<string>();
  for (const [index, { website, ready, filters: of, from: asked }] of cases.entries()) {
    const by = (['visitors', 'pageViews', 'bounceRate', 'visitDuration', 'events'] as const)[index % 5]!;
    const base = { ...whole, filters: of, ...(index % 2 === 1 && { goal: { event: 'Signup' } }) };
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
    const together = await Promise.all(countTogether(website, questions, ready, asked));
    for (const [at, question] of questions.entries()) {
      // In the short form, each case compares another third of the answers.
      if (!isLongForm && at % 3 !== index % 3) continue;
      const { from: answeredFrom, ...found } = together[at]!;
      from.add(answeredFrom);
      assert.deepEqual(found, await askVisits(website, question, ready.builds), JSON.stringify(question));
    }
  }
  assert.deepEqual(from, new Set(['rollups', 'visits']));
});

test('expects at least as many visits to match the filters as do', async () => {
  const { website, ready } = (await prepareAllCalendars()).preparedWithout;
  const visitsOf = async (filters: Filter[]) =>
    (await askVisits(website, { ...whole, metrics: ['visits'], filters }, ready.builds)).rows[0]!.counts
      .visits;
  const all = await visitsOf([]);
  const expected = async (...filters: Filter[]) => {
    const share = await sources.sharesOf(website, filters, ready.days);
    assert.ok(share * all >= (await visitsOf(filters)), JSON.stringify(filters));
    return share;
  };
  const [contains, is, none] = [
    await expected({ dimension: 'page', contains: '/' }),
    await expected({ dimension: 'page', is: '/pricing' }, { dimension: 'event', is: 'Signup' }),
    await expected({ dimension: 'page', is: '/nowhere' }),
  ];
  assert.ok(contains > is && is > none && none === 0, `${contains}, ${is}, ${none}`);
  assert.ok((await expected({ dimension: 'parameterValue', of: 'plan', is: 'pro' })) < 1);
  // The sums can't tell about these.
  assert.equal(await expected({ dimension: 'page', isNot: '/nowhere' }), 1);
  assert.equal(await expected({ dimension: 'queryParameter', of: 'a', is: '1' }), 1);
});

testLong('taking off what filters leave out is the same as counting what they leave', async () => {
  const { website, ready } = (await prepareAllCalendars()).preparedWithout;
  assert.ok(ready.days.some(({ isOpen }) => !isOpen) && !ready.mayRepeat);
  const leavingOut: Filter[][] = [
    [{ dimension: 'country', isNot: 'DE' }],
    [
      { dimension: 'page', contains: 'P' },
      { dimension: 'country', isNot: 'DE' },
    ],
    [
      { dimension: 'device', is: 'mobile' },
      { dimension: 'page', is: '/pricing' },
      { dimension: 'language', anyOf: ['en', 'de'] },
    ],
  ];
  // Few visits are left out, as far as these sources know, so all that can be taken off is.
  const takingOff: Sources = {
    ...createSources(),
    missesOf: async (_store, filters) => filters.map(() => 0.1),
  };
  let differing = 0;
  for (const [index, filters] of leavingOut.entries()) {
    const base = { ...whole, filters, limit: 50 };
    const questions: Question[] = [
      base,
      ...intervals.map((interval) => ({ ...base, interval })),
      ...names
        .filter((name) => dimensions[name].isRolledUp)
        .map((dimension) => ({
          ...base,
          dimensions: [{ dimension }],
          order: [{ by: 'visitors' as const, descending: true }],
        })),
    ];
    const counted = await Promise.all(countTogether(website, questions, ready, takingOff));
    for (const [at, question] of questions.entries()) {
      // In the short form, each case compares another third of the answers.
      if (!isLongForm && at % 3 !== index) continue;
      const { from: _, ...found } = counted[at]!;
      assert.deepEqual(found, await askVisits(website, question, ready.builds), JSON.stringify(question));
      const unfiltered = await askVisits(website, { ...question, filters: [] }, ready.builds);
      if (!isDeepStrictEqual(found, unfiltered)) differing += 1;
    }
  }
  assert.ok(differing > 20, `${differing} answers differ from those without filters`);
});

test('knows which filters match every record', async () => {
  const { website, ready } = (await prepareAllCalendars()).preparedWithout;
  const filters: Filter[] = [
    { dimension: 'page', contains: '/' },
    { dimension: 'page', isNot: '/nowhere' },
    { dimension: 'country', isNot: 'nowhere' },
    { dimension: 'page', contains: 'pricing' },
    { dimension: 'event', isNot: '' },
    { dimension: 'referrer', contains: '' },
  ];
  const shares = await sources.missesOf(website, filters, ready.days);
  assert.deepEqual(shares.slice(0, 3), [0, 0, 0]);
  assert.ok(shares[3]! > 0 && shares[4]! > 0);
  // The sums can't tell about referrers.
  assert.equal(shares[5], 1);
  const base = { ...whole, filters: filters.slice(0, 3) };
  const questions: Question[] = [
    base,
    {
      ...base,
      dimensions: [{ dimension: 'referrer' }],
      order: [{ by: 'visitors', descending: true }],
      limit: 5,
    },
  ];
  const counted = await Promise.all(countTogether(website, questions, ready, createSources()));
  for (const [at, question] of questions.entries()) {
    const { from: _, ...found } = counted[at]!;
    assert.deepEqual(found, await askVisits(website, question, ready.builds));
  }
});

/** Whether only the visits can answer a question of the next test. A list of pages can be filtered by pages. */
const isOfVisits = ({ filters, dimensions: [key] }: Question) =>
  filters.length > 0 && key?.dimension !== 'page';

testLong('lists and days in memory match the store, even after a day has changed', async () => {
  const drawn = fc
    .sample(recordsOf(calendars['days with a change to summer time']!), { numRuns: 2, seed: 31 })
    .flat()
    .filter(({ hasClientId }) => !hasClientId);
  const [early, late] = [drawn.filter((_, at) => at % 3 > 0), drawn.filter((_, at) => at % 3 === 0)];
  const today = '2026-03-30';
  const { website } = await prepare(early);
  const rolledUp = names
    .filter((name) => dimensions[name].isRolledUp)
    .filter((_, at) => isLongForm || at % 4 === 0);
  const kept = [
    createSources(),
    createSources({ ...usualListLimits, valuesOfOne: 2 }),
    createSources({ ...usualListLimits, keptBytes: 2000 }),
    { ...createSources(), sharesOf: async () => 0 },
    { ...createSources({ ...usualListLimits, manyRecords: 0 }), sharesOf: async () => 0 },
  ];
  const assertAll = async (by: MetricName) => {
    await days.rebuild(website.websiteId, whole.period, today, () => {});
    const ready = await untilReady(days, website.websiteId, whole.period, today);
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
    const questions: Question[] = [...all, ...filtered];
    const answers = await Promise.all(
      kept.map((keptSources) => Promise.all(countTogether(website, questions, ready, keptSources))),
    );
    await askAll([...questions.entries()], async ([at, question]) => {
      const expected = await askVisits(website, question, ready.builds);
      for (const ofSources of answers) {
        const { from, ...found } = ofSources[at]!;
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
      goal: fc.constantFrom<NonNullable<Question['goal']>>(
        { event: 'Signup' },
        { event: '__proto__' },
        { page: '/pricing' },
        { page: '/*g*' },
      ),
    },
    { requiredKeys: ['period', 'dimensions', 'filters'] },
  );
  const dataset = recordsOf(calendars['days with a change to summer time']!);
  await fc.assert(
    fc.asyncProperty(
      dataset,
      fc.boolean(),
      fc.boolean(),
      fc.array(question, { minLength: times(6, 15), maxLength: times(6, 15) }),
      async (drawn, withClients, isSliced, questions) => {
        const records = withClients ? drawn : drawn.filter(({ hasClientId }) => !hasClientId);
        const prepared = await prepare(records, isSliced ? { sliced: whole.period } : {});
        const complete = questions.map((drawnQuestion) => ({ ...whole, ...drawnQuestion }));
        await askAll(complete, (each) => assertAgrees(prepared, records, each));
      },
    ),
    { numRuns: times(2, 80) },
  );
});
