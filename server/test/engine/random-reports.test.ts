import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FunnelStep } from '@trackside/contract/stats/questions.ts';
import fc from 'fast-check';
import { askFunnel, type FunnelInput } from '../../src/stats/reports/ask-funnel.ts';
import { askPaths, type PathsInput } from '../../src/stats/reports/ask-paths.ts';
import { askRetention, type RetentionInput } from '../../src/stats/reports/ask-retention.ts';
import { funnelOracle, pathsOracle, retentionOracle, type TestedFilter } from '../oracle/oracle-reports.ts';
import { type Calendar, recordsOf, type TestRecord } from '../oracle/records.ts';
import { testLong, times } from '../support/long-form.ts';
import { askAll, openTestDays, type PreparedWebsite, wholeYear } from '../support/test-days.ts';

const days = await openTestDays();
after(() => days.close());

const berlin: Calendar['timezones'] = ['Europe/Berlin', 'Europe/Berlin'];
const fiveDays: Calendar = { startMs: Date.parse('2026-01-07T23:00:00Z'), days: 5, timezones: berlin };
const clocksGoBack: Calendar = { startMs: Date.parse('2026-10-24T18:00:00Z'), days: 2, timezones: berlin };

/**
 * Puts several draws together, with fewer pages and bots, so that visitors come often, return to a page and
 * take the same paths.
 */
const denseRecordsOf = (calendar: Calendar) =>
  fc.array(recordsOf(calendar), { minLength: 4, maxLength: 4 }).map((draws) =>
    draws.flat().map((record) => ({
      ...record,
      path: pageInstead[record.path] ?? record.path,
      isBot: record.isBot && record.path === '/',
    })),
  );
const pageInstead: Record<string, string> = { '/%20': '/', "/it's": '/pricing' };
/** Each draw begins late on a Sunday and ends late on the Monday after it. */
const fourWeeks = fc
  .tuple(
    ...['2026-01-11', '2026-01-18', '2026-01-25', '2026-02-01'].map((sunday) =>
      recordsOf({ startMs: Date.parse(`${sunday}T20:00:00Z`), days: 1, timezones: berlin }),
    ),
  )
  .map((draws) => draws.flat());
const sampled = <T>(arbitrary: fc.Arbitrary<T>, seed: number): T =>
  fc.sample(arbitrary, { numRuns: 1, seed })[0]!;

const filter: fc.Arbitrary<TestedFilter> = fc.constantFrom<TestedFilter>(
  { dimension: 'country', is: 'DE' },
  { dimension: 'country', isNot: '' },
  { dimension: 'entryPage', contains: 'P' },
  { dimension: 'visitorType', is: 'new' },
  { dimension: 'visitorType', anyOf: ['returning', ''] },
  { dimension: 'page', is: '/pricing' },
  { dimension: 'page', isNot: '/' },
  { dimension: 'host', is: 'a.test' },
  { dimension: 'event', anyOf: ['Signup', '__proto__'] },
  { dimension: 'parameterValue', of: 'plan', is: 'pro' },
);
const filters = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(filter, { minLength: 1, maxLength: 2 }) },
);
const page = fc.constantFrom('/', '/', '/pricing', '/pricing', '/blog/ä', "/it's");
const step: fc.Arbitrary<FunnelStep> = fc.oneof(
  { weight: 4, arbitrary: page.map((path) => ({ page: path })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom({ page: '*' }, { page: '/*' }, { page: '/blog*' }, { page: '/p*' }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ page: 'pricing*' }, { page: '/absent*' }, { page: '/pric' }) },
  { weight: 2, arbitrary: fc.constantFrom('Signup', 'Purchase', '__proto__').map((event) => ({ event })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { event: 'Signup', parameter: { name: 'plan', value: 'pro' } },
      { event: "O'Neil 😀", parameter: { name: '__proto__', value: "'; drop" } },
      { event: 'Purchase', parameter: { name: 'value', value: '' } },
    ),
  },
);
const steps = fc.oneof(
  { weight: 5, arbitrary: fc.array(step, { minLength: 2, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(step, { minLength: 5, maxLength: 8 }) },
  // If the same step comes several times, each needs its own record.
  {
    weight: 1,
    arbitrary: fc.tuple(step, fc.integer({ min: 2, max: 8 })).map(([one, n]) => Array(n).fill(one)),
  },
);
const period = fc.constantFrom(
  wholeYear,
  { from: '2026-01-09', to: '2026-01-31' },
  { from: '2026-01-08', to: '2026-01-11' },
);
const paths: fc.Arbitrary<PathsInput> = fc.record({
  period,
  filters,
  page,
  steps: fc.integer({ min: 1, max: 3 }),
  limit: fc.constantFrom(1, 3, 100),
});
const retention: fc.Arbitrary<RetentionInput> = fc.record({
  period: fc.constantFrom(
    wholeYear,
    { from: '2026-01-08', to: '2026-02-12' },
    { from: '2026-01-12', to: '2026-02-01' },
    { from: '2026-01-19', to: '2026-02-15' },
    { from: '2026-01-20', to: '2026-01-25' },
  ),
  filters,
});
const funnelsWithin = (within: fc.Arbitrary<NonNullable<FunnelInput['within']>>): fc.Arbitrary<FunnelInput> =>
  fc.record({ period, filters, steps, within }, { requiredKeys: ['period', 'filters', 'steps'] });
const inVisit = fc.constant('visit' as const);
const inDays = fc.constantFrom(1, 1, 2, 3, 7, 90).map((n) => ({ days: n }));

async function assertFunnel(
  { website, builds }: PreparedWebsite,
  records: readonly TestRecord[],
  input: FunnelInput,
) {
  const found = await askFunnel(website, input, builds);
  assert.deepEqual(found, funnelOracle(records, input), JSON.stringify(input));
  return found;
}

async function assertPaths(
  { website, builds }: PreparedWebsite,
  records: readonly TestRecord[],
  input: PathsInput,
) {
  const found = await askPaths(website, input, builds);
  assert.deepEqual(found, pathsOracle(records, input), JSON.stringify(input));
  return found;
}

async function assertRetention(
  { website, builds }: PreparedWebsite,
  records: readonly TestRecord[],
  input: RetentionInput,
) {
  const found = await askRetention(website, input, builds);
  assert.deepEqual(found, retentionOracle(records, input), JSON.stringify(input));
  return found;
}

const whole = { period: wholeYear, filters: [] };
const exactly = (length: number) => ({ minLength: length, maxLength: length });
const reached = ({ steps: each }: Awaited<ReturnType<typeof askFunnel>>) =>
  each.map(({ visitors }) => visitors);

testLong('asks only the current builds', async () => {
  const [early, late] = [sampled(denseRecordsOf(fiveDays), 3), sampled(denseRecordsOf(fiveDays), 4)];
  const prepared = await days.prepare(early, late);
  const all = [...early, ...late];
  await assertFunnel(prepared, all, { ...whole, steps: [{ page: '/' }, { page: '/pricing' }] });
  await assertPaths(prepared, all, { ...whole, page: '/', steps: 3, limit: 100 });
  await assertRetention(prepared, all, whole);
});

test('of two visits that began in the same second, the one with the earlier step is first', async () => {
  const person = sampled(denseRecordsOf(fiveDays), 3).find((record) => !record.isBot)!;
  const common = { ...person, hasClientId: true, visitorId: 7n, parameters: [] };
  const view = { ...common, kind: 'page_view' as const, path: '/', event: '' };
  const event = { ...common, kind: 'event' as const, path: '/', event: 'Signup' };
  const steps: FunnelStep[] = [{ page: '/' }, { event: 'Signup' }];
  for (const [viewedOn, sentFrom] of [
    [1n, 2n],
    [2n, 1n],
  ] as const) {
    const records = [
      { ...event, deviceId: sentFrom },
      { ...view, deviceId: viewedOn },
    ];
    const prepared = await days.prepare(records);
    const found = await assertFunnel(prepared, records, { ...whole, steps, within: { days: 1 } });
    assert.deepEqual(reached(found), [1, 1]);
  }
});

test('funnels and paths agree with the oracle on random records', async () => {
  await fc.assert(
    fc.asyncProperty(
      denseRecordsOf(fiveDays),
      fc.array(funnelsWithin(fc.oneof(inVisit, inDays)), exactly(times(12, 25))),
      fc.array(paths, exactly(times(4, 8))),
      async (records, funnels, ways) => {
        const prepared = await days.prepare(records);
        await askAll(funnels, (input) => assertFunnel(prepared, records, input));
        await askAll(ways, (input) => assertPaths(prepared, records, input));
      },
    ),
    { numRuns: times(1, 40), endOnFailure: true },
  );
});

test('within visits, they agree with the oracle while the clocks go back', async () => {
  await fc.assert(
    fc.asyncProperty(
      denseRecordsOf(clocksGoBack),
      fc.array(funnelsWithin(inVisit), exactly(times(5, 10))),
      fc.array(paths, exactly(times(3, 5))),
      async (records, funnels, ways) => {
        const prepared = await days.prepare(records);
        await askAll(funnels, (input) => assertFunnel(prepared, records, { ...input, period: wholeYear }));
        await askAll(ways, (input) => assertPaths(prepared, records, { ...input, period: wholeYear }));
      },
    ),
    { numRuns: times(1, 20), endOnFailure: true },
  );
});

test('retention agrees with the oracle on random records', async () => {
  await fc.assert(
    fc.asyncProperty(fourWeeks, fc.array(retention, exactly(times(6, 12))), async (records, inputs) => {
      const prepared = await days.prepare(records);
      await askAll(inputs, (input) => assertRetention(prepared, records, input));
    }),
    { numRuns: times(1, 30), endOnFailure: true },
  );
});

test('the random records contain what the reports are about', () => {
  const records = sampled(denseRecordsOf(fiveDays), 6);
  const deepFunnels = (within: NonNullable<FunnelInput['within']>) =>
    fc
      .sample(funnelsWithin(fc.constant(within)), { numRuns: 100, seed: 5 })
      .map((input) => reached(funnelOracle(records, { ...input, within })))
      .filter((visitors) => visitors[2] !== undefined && visitors[2] > 0).length;
  assert.ok(deepFunnels('visit') > 10);
  assert.ok(deepFunnels({ days: 2 }) > deepFunnels('visit'));
  assert.ok(deepFunnels({ days: 2 }) > deepFunnels({ days: 1 }));
  const ways = pathsOracle(records, { ...whole, page: '/', steps: 2, limit: 3 });
  assert.ok([...ways.before, ...ways.after].every(({ visits }) => visits > 0));
  const { cohorts } = retentionOracle(sampled(fourWeeks, 5), whole);
  assert.ok(cohorts.filter(({ weeks }) => weeks.slice(1).some((visitors) => visitors > 0)).length > 1);
});
