import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../core/clock.ts';
import { type Days, keepDays } from '../stats/days/keep-days.ts';
import { askActivity } from '../stats/reports/ask-activity.ts';
import { askFunnel, type FunnelInput, type FunnelStep } from '../stats/reports/ask-funnel.ts';
import { askLive } from '../stats/reports/ask-live.ts';
import { askLiveScene } from '../stats/reports/ask-live-scene.ts';
import { askPaths, type PathsInput } from '../stats/reports/ask-paths.ts';
import { askRetention, type RetentionInput } from '../stats/reports/ask-retention.ts';
import {
  funnelOracle,
  pathsOracle,
  retentionOracle,
  type TestedFilter,
} from '../stats/test-oracle-reports.ts';
import { type Calendar, insertRecords, recordsOf, type TestRecord } from '../stats/test-records.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { silentLog, startTestEngine, type TestEngine } from './test-engine.ts';

let engine: TestEngine;
let store: Store;
let days: Days;
let lastWebsite = 100;

before(async () => {
  engine = await startTestEngine();
  store = openStore({ socketPath: engine.socketPath, use: 'asking', log: silentLog });
  await store.migrate();
  days = keepDays({ store, clock: systemClock, log: silentLog, recordsPerSlice: 1000, sharedMs: 0 });
});
after(async () => {
  await days.stop({ withinMs: 10_000 });
  await store.close();
  await engine.stop();
});

const wholeYear = { from: '2026-01-01', to: '2026-12-31' };
const berlin: Calendar['timezones'] = ['Europe/Berlin', 'Europe/Berlin'];
const fiveDays: Calendar = { startMs: Date.parse('2026-01-07T23:00:00Z'), days: 5, timezones: berlin };
const clocksGoBack: Calendar = { startMs: Date.parse('2026-10-24T18:00:00Z'), days: 2, timezones: berlin };

/** Draws laid over each other, fewer pages and bots: visitors come often, see a page again, and take the same ways. */
const denseRecordsOf = (calendar: Calendar) =>
  fc.array(recordsOf(calendar), { minLength: 4, maxLength: 4 }).map((draws) =>
    draws.flat().map((record) => ({
      ...record,
      path: pageInstead[record.path] ?? record.path,
      isBot: record.isBot && record.path === '/',
    })),
  );
const pageInstead: Record<string, string> = { '/%20': '/', "/it's": '/pricing' };
/** Each from the last hours of a Sunday to those of the Monday after. */
const fourWeeks = fc
  .tuple(
    ...['2026-01-11', '2026-01-18', '2026-01-25', '2026-02-01'].map((sunday) =>
      recordsOf({ startMs: Date.parse(`${sunday}T20:00:00Z`), days: 1, timezones: berlin }),
    ),
  )
  .map((draws) => draws.flat());
const sampled = <T>(arbitrary: fc.Arbitrary<T>, seed: number): T =>
  fc.sample(arbitrary, { numRuns: 1, seed })[0]!;
const anyRecord = sampled(recordsOf(fiveDays), 1)[0]!;

async function prepare(records: readonly TestRecord[]) {
  lastWebsite += 1;
  if (records.length > 0) await insertRecords(store, lastWebsite, records);
  const { builds } = await days.ready(lastWebsite, wholeYear, '2026-11-15');
  return { website: store.ofWebsite(lastWebsite), builds };
}
type Prepared = Awaited<ReturnType<typeof prepare>>;

/** As many at once as the engine has sessions. */
async function askAll<Input>(inputs: readonly Input[], ask: (input: Input) => Promise<unknown>) {
  const left = [...inputs];
  const worker = async () => {
    for (let input = left.pop(); input !== undefined; input = left.pop()) await ask(input);
  };
  await Promise.all([worker(), worker(), worker()]);
}

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
  // The same step several times: each needs a record of its own.
  {
    weight: 1,
    arbitrary: fc.tuple(step, fc.integer({ min: 2, max: 8 })).map(([one, n]) => Array(n).fill(one)),
  },
);
const period = fc.constantFrom(
  ...[wholeYear, { from: '2026-01-09', to: '2026-01-31' }, { from: '2026-01-08', to: '2026-01-11' }],
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
  { website, builds }: Prepared,
  records: readonly TestRecord[],
  input: FunnelInput,
) {
  const found = await askFunnel(website, input, builds);
  assert.deepEqual(found, funnelOracle(records, input), JSON.stringify(input));
  return found;
}

async function assertPaths({ website, builds }: Prepared, records: readonly TestRecord[], input: PathsInput) {
  const found = await askPaths(website, input, builds);
  assert.deepEqual(found, pathsOracle(records, input), JSON.stringify(input));
  return found;
}

async function assertRetention(
  { website, builds }: Prepared,
  records: readonly TestRecord[],
  input: RetentionInput,
) {
  const found = await askRetention(website, input, builds);
  assert.deepEqual(found, retentionOracle(records, input), JSON.stringify(input));
  return found;
}

/** A record like any other, but for what a test is about. */
function recordAt(
  localAt: string,
  visitorId: bigint,
  what: { page: string } | { event: string; parameters?: TestRecord['parameters'] },
): TestRecord {
  const isEvent = 'event' in what;
  return {
    ...anyRecord,
    ...{ localAt, day: localAt.slice(0, 10), receivedAtMs: Date.parse(`${localAt.replace(' ', 'T')}Z`) },
    ...{ visitorId, hasClientId: true, isBot: false, bot: '' },
    ...{ kind: isEvent ? 'event' : 'page_view', path: isEvent ? '/' : what.page },
    ...{ event: isEvent ? what.event : '', parameters: (isEvent && what.parameters) || [] },
  };
}

const whole = { period: wholeYear, filters: [] };
const reached = ({ steps: each }: Awaited<ReturnType<typeof askFunnel>>) =>
  each.map(({ visitors }) => visitors);

test('a step counts until the last second of the days, and not when it came before the first', async () => {
  const records = [
    recordAt('2026-01-10 10:00:00', 1n, { page: '/' }),
    recordAt('2026-01-12 10:00:00', 1n, { event: 'Signup' }),
    recordAt('2026-01-10 10:00:00', 2n, { page: '/' }),
    recordAt('2026-01-12 10:00:01', 2n, { event: 'Signup' }),
    recordAt('2026-01-10 10:00:00', 3n, { event: 'Signup' }),
    recordAt('2026-01-12 10:00:00', 3n, { page: '/' }),
    // The first start is too early, the second one is not.
    recordAt('2026-01-10 10:00:00', 4n, { page: '/' }),
    recordAt('2026-01-11 10:00:00', 4n, { page: '/' }),
    recordAt('2026-01-13 10:00:00', 4n, { event: 'Signup' }),
  ];
  const { website, builds } = await prepare(records);
  const input: FunnelInput = { ...whole, steps: [{ page: '/' }, { event: 'Signup' }], within: { days: 2 } };
  assert.deepEqual(reached(await askFunnel(website, input, builds)), [4, 2]);
  assert.deepEqual(reached(await askFunnel(website, { ...input, within: 'visit' }, builds)), [4, 0]);
});

test('of records in the same second, the order counts, and one record is one step', async () => {
  const later = (record: TestRecord) => ({ ...record, receivedAtMs: record.receivedAtMs + 1 });
  const records = [
    recordAt('2026-01-10 10:00:00', 1n, { event: 'Signup' }),
    later(recordAt('2026-01-10 10:00:00', 1n, { page: '/' })),
    recordAt('2026-01-10 10:00:00', 2n, { page: '/' }),
    later(recordAt('2026-01-10 10:00:00', 2n, { event: 'Signup' })),
    recordAt('2026-01-10 10:00:00', 3n, { page: '/' }),
    later(recordAt('2026-01-10 10:00:00', 3n, { page: '/' })),
  ];
  const { website, builds } = await prepare(records);
  for (const within of ['visit', { days: 1 }] as const) {
    const ask = async (...asked: FunnelStep[]) =>
      reached(await askFunnel(website, { ...whole, steps: asked, within }, builds));
    assert.deepEqual(await ask({ page: '/' }, { event: 'Signup' }), [3, 1]);
    assert.deepEqual(await ask({ page: '/' }, { page: '/*' }), [3, 1]);
    assert.deepEqual(await ask({ page: '/*' }, { page: '/' }, { page: '/' }), [3, 1, 0]);
  }
});

test('an event is a step only when name and value are of the same parameter', async () => {
  const parameters = [
    { name: 'plan', value: 'free' },
    { name: 'tier', value: 'pro' },
  ];
  const records = [
    recordAt('2026-01-10 10:00:00', 1n, { page: '/' }),
    recordAt('2026-01-10 10:00:01', 1n, { event: 'Signup', parameters }),
  ];
  const { website, builds } = await prepare(records);
  const ask = async (name: string, value: string) => {
    const asked: FunnelStep[] = [{ page: '/' }, { event: 'Signup', parameter: { name, value } }];
    return reached(await askFunnel(website, { ...whole, steps: asked }, builds));
  };
  assert.deepEqual(await ask('plan', 'free'), [1, 1]);
  assert.deepEqual(await ask('tier', 'pro'), [1, 1]);
  assert.deepEqual(await ask('plan', 'pro'), [1, 0]);
});

test('shares are of the first step and of the one before, and there are none of nobody', async () => {
  const records = [1n, 2n, 3n, 4n].flatMap((visitor) => [
    recordAt('2026-01-10 10:00:00', visitor, { page: '/' }),
    recordAt('2026-01-10 10:00:01', visitor, { page: visitor > 2n ? '/pricing' : '/' }),
    recordAt('2026-01-10 10:00:02', visitor, { page: visitor > 3n ? '/buy' : '/' }),
  ]);
  const { website, builds } = await prepare(records);
  const asked = [{ page: '/' }, { page: '/pricing' }, { page: '/buy' }];
  assert.deepEqual(await askFunnel(website, { ...whole, steps: asked }, builds), {
    steps: [
      { step: { page: '/' }, visitors: 4, shareOfFirst: 1, shareOfPrevious: null },
      { step: { page: '/pricing' }, visitors: 2, shareOfFirst: 0.5, shareOfPrevious: 0.5 },
      { step: { page: '/buy' }, visitors: 1, shareOfFirst: 0.25, shareOfPrevious: 0.5 },
    ],
  });
  const nobody = await askFunnel(website, { ...whole, steps: [{ page: '/x' }, { page: '/' }] }, builds);
  assert.deepEqual(
    nobody.steps.map(({ visitors, shareOfFirst, shareOfPrevious }) => [
      visitors,
      shareOfFirst,
      shareOfPrevious,
    ]),
    [
      [0, null, null],
      [0, null, null],
    ],
  );
});

test('pages before and after are those around the first page view, each once in a row', async () => {
  const view = (visitor: bigint, second: number, path: string) =>
    recordAt(`2026-01-10 10:00:${String(second).padStart(2, '0')}`, visitor, { page: path });
  const records = [
    ...['/', '/', '/pricing', '/pricing', '/buy', '/pricing', '/'].map((path, index) =>
      view(1n, index, path),
    ),
    ...['/pricing', '/pricing', '/buy'].map((path, index) => view(2n, index, path)),
    ...['/', '/blog', '/pricing'].map((path, index) => view(3n, index, path)),
    recordAt('2026-01-10 10:00:09', 3n, { event: 'Signup' }),
    view(4n, 0, '/'),
  ];
  const { website, builds } = await prepare(records);
  const found = await askPaths(website, { ...whole, page: '/pricing', steps: 2, limit: 10 }, builds);
  const at = (number: number, ...pages: string[]) => ({
    ...{ step: number, visits: pages.length },
    pages: [...Map.groupBy(pages, (path) => path)].map(([path, all]) => ({ page: path, visits: all.length })),
  });
  assert.deepEqual(found, {
    ...{ visits: 3, entries: 1, exits: 1 },
    before: [at(1, '/', '/blog'), at(2, '/')],
    after: [at(1, '/buy', '/buy'), at(2, '/pricing')],
  });
});

test('a visitor belongs to the week of the first visit ever, not of the first one in the period', async () => {
  const bot = { ...recordAt('2026-01-06 10:00:00', 2n, { page: '/' }), isBot: true };
  const records = [
    ...['2026-01-11', '2026-01-12', '2026-01-19'].map((day) =>
      recordAt(`${day} 10:00:00`, 1n, { page: '/' }),
    ),
    // What a bot did is no visit.
    ...[bot, ...['2026-01-18', '2026-01-26'].map((day) => recordAt(`${day} 10:00:00`, 2n, { page: '/' }))],
    { ...recordAt('2026-01-13 10:00:00', 3n, { page: '/' }), hasClientId: false },
  ];
  const { website, builds } = await prepare(records);
  const asked = { period: { from: '2026-01-12', to: '2026-01-27' }, filters: [] };
  assert.deepEqual(await askRetention(website, asked, builds), {
    cohorts: [
      { week: '2026-01-12', visitors: 1, weeks: [1, 0, 1] },
      { week: '2026-01-19', visitors: 0, weeks: [0, 0] },
      { week: '2026-01-26', visitors: 0, weeks: [0] },
    ],
    visitorsWithoutClientId: 1,
  });
  const onlyNew = await askRetention(
    website,
    { ...asked, filters: [{ dimension: 'visitorType', is: 'new' }] },
    builds,
  );
  assert.deepEqual(onlyNew.cohorts[0], { week: '2026-01-12', visitors: 1, weeks: [1, 0, 0] });
});

test('a visit with a hundred thousand records fits in the memory of a question', async () => {
  lastWebsite += 1;
  const website = store.ofWebsite(lastWebsite);
  await website.run({
    query: `
      insert into open_visits (website_id, day, build, visitor_id, has_client_id, started_at, at, is_event, path, event_name)
      select
        {website_id:UInt32}, '2026-01-10', 1, 1, true, '2026-01-10 00:00:00',
        arrayMap(i -> toDateTime('2026-01-10 00:00:00', 'UTC') + intDiv(i, 2), range(100000)), arrayMap(i -> false, range(100000)),
        arrayMap(i -> concat('/', toString(intDiv(i, 2) % 1000)), range(100000)), arrayMap(i -> '', range(100000))`,
  });
  const asked: FunnelStep[] = [...Array(7).fill({ page: '*' }), { page: '/999' }];
  for (const within of ['visit', { days: 90 }] as const) {
    const found = await askFunnel(website, { ...whole, steps: asked, within }, ['1']);
    assert.deepEqual(reached(found), Array(8).fill(1));
  }
  const found = await askPaths(website, { ...whole, page: '/500', steps: 3, limit: 10 }, ['1']);
  assert.deepEqual(found.after.at(-1), { step: 3, visits: 1, pages: [{ page: '/503', visits: 1 }] });
  assert.equal((await askRetention(website, whole, ['1'])).visitorsWithoutClientId, 0);
});

test('every report is empty for a website without records', async () => {
  const { website, builds } = await prepare([]);
  const funnel = await askFunnel(website, { ...whole, steps: [{ page: '*' }, { page: '*' }] }, builds);
  assert.deepEqual(reached(funnel), [0, 0]);
  const none = [{ step: 1, visits: 0, pages: [] }];
  assert.deepEqual(await askPaths(website, { ...whole, page: '/', steps: 1, limit: 10 }, builds), {
    ...{ visits: 0, entries: 0, exits: 0, before: none, after: none },
  });
  const period = { from: '2026-01-06', to: '2026-01-19' };
  assert.deepEqual(await askRetention(website, { period, filters: [] }, builds), {
    cohorts: [
      { week: '2026-01-12', visitors: 0, weeks: [0, 0] },
      { week: '2026-01-19', visitors: 0, weeks: [0] },
    ],
    visitorsWithoutClientId: 0,
  });
});

test('only the builds that count are asked', async () => {
  const [early, late] = [sampled(denseRecordsOf(fiveDays), 3), sampled(denseRecordsOf(fiveDays), 4)];
  await prepare(early);
  await insertRecords(store, lastWebsite, late, 2);
  const { builds } = await days.ready(lastWebsite, wholeYear, '2026-11-15');
  const prepared = { website: store.ofWebsite(lastWebsite), builds };
  const all = [...early, ...late];
  await assertFunnel(prepared, all, { ...whole, steps: [{ page: '/' }, { page: '/pricing' }] });
  await assertPaths(prepared, all, { ...whole, page: '/', steps: 3, limit: 100 });
  await assertRetention(prepared, all, whole);
});

test('funnels and paths agree with the oracle on random records', async () => {
  await fc.assert(
    fc.asyncProperty(
      denseRecordsOf(fiveDays),
      fc.array(funnelsWithin(fc.oneof(inVisit, inDays)), { minLength: 25, maxLength: 25 }),
      fc.array(paths, { minLength: 8, maxLength: 8 }),
      async (records, funnels, ways) => {
        const prepared = await prepare(records);
        await askAll(funnels, (input) => assertFunnel(prepared, records, input));
        await askAll(ways, (input) => assertPaths(prepared, records, input));
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
});

test('within visits, they agree with the oracle while the clocks go back', async () => {
  await fc.assert(
    fc.asyncProperty(
      denseRecordsOf(clocksGoBack),
      fc.array(funnelsWithin(inVisit), { minLength: 10, maxLength: 10 }),
      fc.array(paths, { minLength: 5, maxLength: 5 }),
      async (records, funnels, ways) => {
        const prepared = await prepare(records);
        await askAll(funnels, (input) => assertFunnel(prepared, records, { ...input, period: wholeYear }));
        await askAll(ways, (input) => assertPaths(prepared, records, { ...input, period: wholeYear }));
      },
    ),
    { numRuns: 2, endOnFailure: true },
  );
});

test('retention agrees with the oracle on random records', async () => {
  await fc.assert(
    fc.asyncProperty(
      fourWeeks,
      fc.array(retention, { minLength: 12, maxLength: 12 }),
      async (records, inputs) => {
        const prepared = await prepare(records);
        await askAll(inputs, (input) => assertRetention(prepared, records, input));
      },
    ),
    { numRuns: 3, endOnFailure: true },
  );
});

test('the random records have what the reports are about', () => {
  const records = sampled(denseRecordsOf(fiveDays), 5);
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

test('activity counts the visitors of the last 24 hours, as a whole and in each hour, without bots', async () => {
  const hourMs = 3_600_000;
  const startMs = Date.parse('2026-05-10T00:00:00Z');
  const [drawn] = fc.sample(recordsOf({ startMs, days: 3, timezones: ['UTC', 'UTC'] }), {
    numRuns: 1,
    seed: 3,
  });
  const nowMs = startMs + 50 * hourMs;
  const records = [...Array(60).keys()].map((at) => {
    const receivedAtMs = startMs + at * hourMs + 1;
    const day = new Date(receivedAtMs).toISOString().slice(0, 10);
    // One is there all the time; the others come once.
    return {
      ...drawn![0]!,
      receivedAtMs,
      day,
      visitorId: at % 2 === 0 ? 7n : BigInt(1000 + at),
      isBot: at === 45,
    };
  });
  const { website } = await prepare(records);
  const inHour = (hour: number) =>
    records.filter(
      ({ receivedAtMs, isBot }) =>
        !isBot && receivedAtMs <= nowMs && Math.floor((nowMs - receivedAtMs) / hourMs) === hour,
    );
  const byHour = [...Array(24).keys()].map(
    (hour) => new Set(inHour(23 - hour).map((one) => one.visitorId)).size,
  );
  const all = [...Array(24).keys()].flatMap(inHour);
  assert.deepEqual(await askActivity(website, nowMs), {
    visitors: new Set(all.map(({ visitorId }) => visitorId)).size,
    byHour,
  });
  assert.ok(byHour.includes(0) && byHour.includes(1));
});

test('the live scene is that of the last half hour, without bots and without telling visitors apart', async () => {
  const nowMs = Date.parse('2026-05-12T00:10:00Z');
  const paths = ['/', '/pricing', '/blog/ä', "/it's", '/%20', ...[...Array(9).keys()].map((at) => `/p${at}`)];
  const records = [...Array(150).keys()].map((at): TestRecord => {
    const visitor = (at * at) % 23;
    return {
      ...anyRecord,
      // From just after now to 45 minutes before; two days, as in different timezones.
      receivedAtMs: nowMs + 20_001 - at * 18_000,
      day: visitor % 2 === 0 ? '2026-05-11' : '2026-05-12',
      kind: at % 5 === 0 ? 'event' : 'page_view',
      event: at % 5 === 0 ? 'Signup' : '',
      visitorId: 2n ** 63n + BigInt(visitor),
      path: paths[(at * 5) % paths.length]!,
      source: at % 4 === 0 && visitor % 5 !== 0 ? `source ${visitor % 5}` : '',
      country: ['', 'DE', 'US'][visitor % 3]!,
      isBot: at % 13 === 0,
    };
  });
  const { website } = await prepare(records);
  const scene = await askLiveScene(website, nowMs);

  const since = (minutes: number) =>
    records.filter(({ receivedAtMs: ms, isBot }) => !isBot && ms <= nowMs && ms > nowMs - minutes * 60_000);
  const recent = since(30);
  const byTime = recent.toSorted((one, other) => other.receivedAtMs - one.receivedAtMs);
  const sourceOf = (visitorId: bigint) =>
    byTime.findLast((one) => one.visitorId === visitorId && one.source !== '')?.source ?? '';
  const top = (read: (record: TestRecord) => string) =>
    [...Map.groupBy(recent, read)]
      .map(([value, of]) => ({ value, visitors: new Set(of.map(({ visitorId }) => visitorId)).size }))
      .toSorted((one, other) => other.visitors - one.visitors || (one.value < other.value ? -1 : 1))
      .slice(0, 10);
  const { visitors, minutes } = await askLive(website, nowMs);
  assert.deepEqual(scene, {
    ...{ visitors, minutes },
    pages: top(({ path }) => path),
    sources: top(({ visitorId }) => sourceOf(visitorId)),
    countries: top(({ country }) => country),
    latest: byTime.slice(0, 20).map(({ receivedAtMs, path, kind, event, visitorId, country, ...one }) => ({
      ...{ at: new Date(receivedAtMs).toISOString(), page: path, event: kind === 'event' ? event : null },
      ...{ country, source: sourceOf(visitorId), browser: one.browser, device: one.device },
    })),
  });
  assert.equal(scene.visitors, new Set(since(5).map(({ visitorId }) => visitorId)).size);
  assert.ok(scene.pages.length === 10 && scene.latest.some(({ event }) => event !== null));
  assert.ok(scene.sources.some(({ value }) => value === '') && scene.sources.length > 2);
});

test('the live scene of a website without records is empty', async () => {
  const { website } = await prepare([]);
  const { minutes, ...scene } = await askLiveScene(website, Date.parse('2026-05-12T00:10:00Z'));
  assert.ok(minutes.every(({ visitors, pageViews }) => visitors === 0 && pageViews === 0));
  assert.deepEqual(scene, { visitors: 0, pages: [], sources: [], countries: [], latest: [] });
});
