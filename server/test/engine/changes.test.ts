import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import { metricNames } from '@trackside/contract/stats/metrics.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import fc from 'fast-check';
import { createFakeClock } from '../../src/control/test-control.ts';
import { refusal } from '../../src/loader/test-store.ts';
import { usualListLimits } from '../../src/stats/cache/ask-lists.ts';
import { usualLargeDays } from '../../src/stats/days/large-days.ts';
import type { ReadyDays } from '../../src/stats/days/ready-days.ts';
import { createAskInTurn } from '../../src/stats/plan/ask-in-turn.ts';
import { countTogether, createSources, type Sources } from '../../src/stats/plan/plan-screen.ts';
import { dimensions } from '../../src/stats/question/dimensions.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import { askFunnel } from '../../src/stats/reports/ask-funnel.ts';
import { askPaths } from '../../src/stats/reports/ask-paths.ts';
import { askRetention } from '../../src/stats/reports/ask-retention.ts';
import { askVisits, type CountedRow } from '../../src/stats/sql/ask-visits.ts';
import type { Question as Statement } from '../../src/store/create-store-client.ts';
import type { Store } from '../../src/store/open-store.ts';
import { plainRules } from '../../src/text/address-rules.ts';
import { askOracle } from '../oracle/oracle.ts';
import { funnelOracle, pathsOracle, retentionOracle } from '../oracle/oracle-reports.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { isLongForm, takeTurns, testLong, times } from '../support/long-form.ts';
import { openDayBuilder } from '../support/test-days.ts';
import { emptyTables, shareSweptStore } from '../support/test-store.ts';

// Days that may still change, all of which are large: records that arrive after a day was built become a
// change.

const { store } = await shareSweptStore();

const day = '2026-04-10';
const tomorrow = '2026-04-11';
const nowMs = Date.parse(`${tomorrow}T12:00:00Z`);
const dayStartMs = Date.parse(`${day}T00:00:00Z`);
const timezones: [string, string] = ['UTC', 'UTC'];
const never = { share: 1, least: Number.MAX_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };
const always = { share: 0, least: 0, most: 0 };
const names = Object.keys(dimensions) as DimensionName[];
const whole: Question = {
  period: { from: '2026-04-01', to: '2026-04-30' },
  metrics: metricNames,
  dimensions: [],
  filters: [],
  order: [{ by: 'visits', descending: true }],
  // The highest number of values with which a list is answered from sums in memory. No dimension has that
  // many here.
  limit: 100,
  offset: 0,
};
let lastWebsite = 0;

/** Returns the records of one day that have come by now, in the order in which they were received. */
function drawDay(seed: number, draws = 2): TestRecord[] {
  const calendar = { startMs: dayStartMs, days: 1, timezones };
  return fc
    .sample(recordsOf(calendar), { numRuns: draws, seed })
    .flat()
    .filter((record) => record.day === day && record.receivedAtMs <= nowMs)
    .toSorted((a, b) => a.receivedAtMs - b.receivedAtMs);
}

const withoutClients = (records: readonly TestRecord[]) => records.filter(({ hasClientId }) => !hasClientId);

type Options = {
  renewal?: typeof never;
  /** Unless a test says otherwise, a day is built in one slice, because each takes its own statements. */
  recordsPerSlice?: number;
  /** Called before each statement that writes. */
  onRun?: (statement: Statement) => Promise<void>;
  /** Called after each of them. */
  afterRun?: (statement: Statement) => void;
  /** Those of two processes differ. */
  fence?: () => number;
};

/** Opens another website. Its day is yesterday, so whoever asks for it waits for what has come since. */
function open(options: Options = {}) {
  lastWebsite += 1;
  const websiteId = lastWebsite;
  const clock = createFakeClock(new Date(nowMs).toISOString());
  const loader = { completeMs: 0 };
  const rules = { ...plainRules };
  let batch = 0;
  const asked = createAskInTurn(store)({ websiteId, by: 'user' });

  function openDays({ renewal = never, recordsPerSlice = 1000, onRun, afterRun, fence }: Options) {
    const ofWebsite: Store['ofWebsite'] = (id) => {
      const website = store.ofWebsite(id);
      const run: typeof website.run = async (statement) => {
        await onRun?.(statement);
        await website.run(statement);
        afterRun?.(statement);
      };
      return { ...website, run };
    };
    return openDayBuilder(
      { ...store, ofWebsite },
      {
        clock,
        completeUpToMs: () => loader.completeMs,
        rulesOf: () => rules,
        recordsPerSlice,
        ...(fence && { fence }),
        largeDays: { ...usualLargeDays, fromRecords: 0, change: { share: 1, least: 0 }, renewal },
      },
    );
  }
  const days = openDays(options);

  return {
    websiteId,
    clock,
    loader,
    rules,
    days,
    asked,
    reopen: openDays,
    async add(records: readonly TestRecord[], completeMs: number) {
      batch += 1;
      if (records.length > 0) await insertRecords(store, websiteId, records, batch);
      loader.completeMs = completeMs;
      clock.pass(10_000);
    },
    ready: (from = days) => from.ready(websiteId, whole.period, tomorrow),
    async rowsIn(table: string, where = 'true') {
      const query = `select count() as rows from ${table} where website_id = ${websiteId} and ${where}`;
      return Number((await store.query<{ rows: number }>({ query }))[0]!.rows);
    },
  };
}

type Opened = ReturnType<typeof open>;

const shown = (rows: readonly CountedRow[]) =>
  rows.map(({ time, values, counts }) => JSON.stringify({ time: time ?? null, values, counts })).toSorted();

/** Compares a few numbers with the oracle. */
async function assertCounted({ asked }: Opened, ready: ReadyDays, records: readonly TestRecord[]) {
  const questions: Question[] = [whole, { ...whole, dimensions: [{ dimension: 'exitPage' }] }];
  const answers = await Promise.all(countTogether(asked, questions, ready, createSources()));
  for (const [at, question] of questions.entries())
    assert.deepEqual(shown(answers[at]!.rows), shown(askOracle(records, question)), JSON.stringify(question));
}

const filters: Filter[] = [
  { dimension: 'exitPage', is: '/' },
  { dimension: 'page', is: '/pricing' },
  { dimension: 'country', isNot: 'DE' },
  { dimension: 'event', is: 'Signup' },
];

/** Compares every kind of question with the oracle. Lists are asked together, and kept from before. */
async function assertAllCounted(
  { asked }: Opened,
  ready: ReadyDays,
  records: readonly TestRecord[],
  {
    sources,
    asked: isAsked,
    withReports,
    at,
  }: {
    sources: Sources;
    asked: (question: unknown, index: number) => boolean;
    withReports: boolean;
    at: number;
  },
) {
  const filter = filters[at % filters.length]!;
  const all: Question[] = [
    ...(['minute', 'hour', 'day', 'week'] as const).map((interval) => ({ ...whole, interval })),
    ...names.map((dimension) => ({ ...whole, dimensions: [{ dimension }] })),
    { ...whole, filters: [filter], goal: { event: 'Signup' } },
    { ...whole, filters: [filter], dimensions: [{ dimension: 'page' as const }] },
  ];
  const questions = [whole, ...all.filter(isAsked)];
  const answers = countTogether(asked, questions, ready, sources);
  for (const [index, question] of questions.entries()) {
    const { rows, totalRows, from } = await answers[index]!;
    const expected = shown(askOracle(records, question));
    assert.deepEqual(shown(rows), expected, `${from}: ${JSON.stringify(question)}`);
    assert.equal(totalRows, expected.length);
  }
  if (!withReports) return;
  // The visits must give the same answers as the sums.
  const alone = { ...whole, dimensions: [{ dimension: names[at % names.length]! }] };
  const fromVisits = await askVisits(asked, alone, ready.builds);
  assert.deepEqual(shown(fromVisits.rows), shown(askOracle(records, alone)), JSON.stringify(alone));
  const scope = { period: whole.period, filters: [] };
  const funnel = { ...scope, steps: [{ page: '/' }, { page: '/pricing' }] };
  assert.deepEqual(await askFunnel(asked, funnel, ready.builds), funnelOracle(records, funnel));
  const inDays = { ...funnel, within: { days: 1 } };
  assert.deepEqual(await askFunnel(asked, inDays, ready.builds), funnelOracle(records, inDays));
  const paths = { ...scope, page: '/', steps: 2, limit: 10 };
  assert.deepEqual(await askPaths(asked, paths, ready.builds), pathsOracle(records, paths));
  assert.deepEqual(await askRetention(asked, scope, ready.builds), retentionOracle(records, scope));
}

// This comes first, because a sweep builds the days of all websites that there are.
test('builds a changed day as a whole when it has ended', async () => {
  await emptyTables(store);
  const records = drawDay(27);
  const opened = open();
  await opened.add(records.slice(0, 50), records[49]!.receivedAtMs);
  await opened.ready();
  await opened.add(records.slice(50), records.at(-1)!.receivedAtMs);
  await opened.ready();
  await opened.days.sweep('2026-04-12');
  assert.ok((await opened.rowsIn('ended_visits')) > 0);
  opened.clock.pass(2 * 3_600_000);
  await opened.days.sweep('2026-04-12');
  assert.equal(await opened.rowsIn('open_visits'), 0, 'neither the base nor the change is left');
  assert.equal(await opened.rowsIn('open_rollups'), 0);
  const ready = await opened.days.ready(opened.websiteId, whole.period, '2026-04-20');
  await assertCounted(opened, ready, records);
  await opened.days.stop({ withinMs: 300_000 });
});

test('every answer about a changing day matches its records up to asOf', async () => {
  const refreshes = times(1, 4);
  for (let seed = 1; seed <= times(2, 60); seed += 1) {
    const drawn = drawDay(seed);
    const records = seed % 2 === 0 ? drawn : withoutClients(drawn);
    const isSliced = isLongForm || seed === 1;
    const opened = open(isSliced ? { recordsPerSlice: 60 } : {});
    // A dimension with more values than this is left to the store.
    const sources = [createSources(), createSources({ ...usualListLimits, valuesOfOne: 2 })];
    const half = Math.floor(records.length / 2);
    const cuts = fc
      .sample(fc.integer({ min: half, max: records.length - 2 }), { numRuns: refreshes, seed })
      .toSorted((a, b) => a - b);
    const toldMs: number[] = [];
    let loaded = 0;
    for (const [at, cut] of [...cuts, records.length - 1].entries()) {
      const completeMs = records[cut]!.receivedAtMs;
      const complete = 1 + records.findLastIndex(({ receivedAtMs }) => receivedAtMs <= completeMs);
      // Some records are in the store before it is known that it has all that came before them.
      const end = Math.min(records.length, Math.max(complete + ((at + 1) % 3), loaded));
      await opened.add(records.slice(loaded, end), completeMs);
      loaded = end;
      const ready = await opened.ready();
      assert.ok(ready.asOfMs >= completeMs);
      toldMs.push(ready.asOfMs);
      const counted = records.filter(({ receivedAtMs }) => receivedAtMs <= ready.asOfMs);
      if (at > 0) assert.notEqual(ready.days[0]?.base, undefined, 'it is a change');
      // The first change and the last one are asked everything, those between them a part of it. In the short
      // form, the change of each seed is asked another half, and the day as it was before is asked a part.
      const isPart = isLongForm ? at > 1 && at < refreshes : at === 0;
      const asked = (_: unknown, index: number) => (index + at + seed) % (isPart ? 4 : times(2, 1)) === 0;
      const withReports = isLongForm || (at === 1 && seed === 2);
      const kept = sources[(at + seed) % 2]!;
      await assertAllCounted(opened, ready, counted, { sources: kept, asked, withReports, at: at + seed });
    }
    assert.deepEqual(
      toldMs,
      toldMs.toSorted((a, b) => a - b),
    );
    await opened.days.stop({ withinMs: 300_000 });
  }
});

testLong('a day with much text is built in smaller slices, and each record counts once', async () => {
  const records = drawDay(31, 20);
  assert.ok(records.length > 500);
  let refused = 0;
  // A statement that runs out of memory has already written some of its rows.
  const afterRun = ({ query, params }: Statement) => {
    if (!/insert into open_visits/.test(query) || params?.first_device !== '0') return;
    if (BigInt(String(params.last_device)) < 2n ** 63n) return;
    refused += 1;
    throw refusal();
  };
  const opened = open({ recordsPerSlice: 2000, afterRun });
  await opened.add(records, records.at(-1)!.receivedAtMs);
  await assertCounted(opened, await opened.ready(), records);
  assert.equal(refused, 1);
  // What was learned about the website is kept for a while.
  opened.rules.ignoreCase = true;
  await opened.add([], records.at(-1)!.receivedAtMs);
  await opened.ready();
  assert.equal(refused, 1);
  await opened.days.stop({ withinMs: 300_000 });
});

testLong('if a change needs too much memory, the day is built as a whole', async () => {
  const records = drawDay(1);
  let refused = 0;
  const onRun = async ({ query }: Statement) => {
    if (!query.includes('insert into open_rollups') || !query.includes('as side')) return;
    refused += 1;
    throw refusal();
  };
  const opened = open({ onRun });
  await opened.add(records.slice(0, 50), records[49]!.receivedAtMs);
  await opened.ready();
  await opened.add(records.slice(50), records.at(-1)!.receivedAtMs);
  await assertCounted(opened, await opened.ready(), records);
  assert.equal(refused, 1);
  await opened.days.stop({ withinMs: 300_000 });
});

testLong('a value that a change removes is in no list', async () => {
  const [first] = withoutClients(drawDay(20));
  const pageView = { ...first!, isBot: false, kind: 'page_view' as const, event: '', parameters: [] };
  const at = (minutes: number) => ({ ...pageView, receivedAtMs: dayStartMs + minutes * 60_000 });
  const others = [1, 2].map((number) => ({
    ...at(1),
    deviceId: pageView.deviceId + BigInt(number),
    visitorId: pageView.visitorId + BigInt(number),
    path: '/other',
  }));
  const records = [{ ...at(1), path: '/first' }, ...others, { ...at(2), path: '/last' }];
  const opened = open();
  await opened.add(records.slice(0, 3), records[0]!.receivedAtMs);
  const list: Question = { ...whole, dimensions: [{ dimension: 'exitPage' }] };
  const filtered: Question = { ...list, filters: [{ dimension: 'exitPage', isNot: 'x' }] };
  const sources = [createSources(), createSources({ ...usualListLimits, valuesOfOne: 1 })];
  const pages: string[][] = [];
  for (const added of [[], records.slice(3)]) {
    await opened.add(added, records[added.length === 0 ? 0 : 3]!.receivedAtMs);
    const ready = await opened.ready();
    for (const kept of sources)
      for (const question of [list, filtered]) {
        const { rows, totalRows, from } = await countTogether(opened.asked, [question], ready, kept)[0]!;
        assert.deepEqual([from, totalRows], ['rollups', rows.length]);
        pages.push(rows.map(({ values }) => values[0]!));
      }
  }
  const [before, after] = [
    ['/other', '/first'],
    ['/other', '/last'],
  ];
  assert.deepEqual(pages, [...Array(4).fill(before), ...Array(4).fill(after)]);
  await opened.days.stop({ withinMs: 300_000 });
});

testLong('rebuilds a base beside the changes of the old one, and no answer goes back in time', async () => {
  const records = drawDay(21);
  const held = Promise.withResolvers<void>();
  let isHolding = false;
  const opened = open({
    renewal: always,
    onRun: async ({ query }) => {
      // Only a base has visits of records without a time since which devices have changed.
      const isBase = /insert into open_visits.*from records/s.test(query) && !query.includes('{since:');
      if (isHolding && isBase) await held.promise;
    },
  });
  const upTo = (end: number) => records.slice(0, end);
  const addUpTo = (from: number, end: number) =>
    opened.add(records.slice(from, end), records[end - 1]!.receivedAtMs);
  await addUpTo(0, 60);
  const first = await opened.ready();
  const [oldBase] = first.builds.map(({ build }) => build);
  isHolding = true;
  const told = [first.asOfMs];
  const lastEnd = times(80, 100);
  for (let end = 80; end <= lastEnd; end += 20) {
    await addUpTo(end - 20, end);
    const ready = await opened.ready();
    told.push(ready.asOfMs);
    assert.equal(ready.builds[0]?.base, oldBase, 'the new base is not there yet');
    await assertCounted(opened, ready, upTo(end));
  }
  // These are in no change of the old base, and arrived after the new base was started.
  await addUpTo(lastEnd, 110);
  held.resolve();
  await opened.days.stop({ withinMs: 300_000 });
  const reopened = opened.reopen({});
  const renewed = await opened.ready(reopened);
  told.push(renewed.asOfMs);
  const newBase = renewed.builds[0]?.base;
  assert.ok(newBase !== undefined && BigInt(newBase) > BigInt(oldBase!), 'the new base counts');
  await assertCounted(opened, renewed, upTo(110));
  assert.deepEqual(
    told,
    told.toSorted((a, b) => a - b),
  );
  await reopened.stop({ withinMs: 300_000 });
});

for (const first of takeTurns(['command', 'server'] as const, 0))
  testLong(
    `a command that rebuilds a day beside the server has its base, if the ${first} is first`,
    async () => {
      const records = drawDay(28);
      const waits = { command: Promise.withResolvers<void>(), server: Promise.withResolvers<void>() };
      const held = { command: Promise.withResolvers<void>(), server: Promise.withResolvers<void>() };
      const isHolding = { command: true, server: false };
      const holdNotes = (who: 'command' | 'server') => async (statement: Statement) => {
        if (!isHolding[who] || !statement.query.includes('insert into day_builds')) return;
        isHolding[who] = false;
        waits[who].resolve();
        await held[who].promise;
      };
      const opened = open({ onRun: holdNotes('server') });
      await opened.add(records.slice(0, 50), records[49]!.receivedAtMs);
      const [oldBase] = (await opened.ready()).builds;
      const command = opened.reopen({ onRun: holdNotes('command'), fence: () => 7 });
      const rebuilt = command.rebuild(opened.websiteId, whole.period, tomorrow, () => {});
      await waits.command.promise;
      // The server begins its change later, so the change has the higher number.
      await opened.add(records.slice(50), records.at(-1)!.receivedAtMs);
      isHolding.server = true;
      const changed = opened.ready();
      await waits.server.promise;
      const end = { command: rebuilt, server: changed };
      for (const who of first === 'command'
        ? (['command', 'server'] as const)
        : (['server', 'command'] as const)) {
        held[who].resolve();
        await end[who];
      }
      const ready = await opened.ready();
      const { base } = ready.builds[0]!;
      assert.ok(base !== undefined && BigInt(base) > BigInt(oldBase!.build), 'the new base counts');
      await assertCounted(opened, ready, records);
      await command.stop({ withinMs: 300_000 });
      await opened.days.stop({ withinMs: 300_000 });
    },
  );

testLong('a change whose base was removed in the meantime does not count', async () => {
  const records = drawDay(29);
  let isRemoving = false;
  const opened = open({
    onRun: async ({ query }) => {
      if (!isRemoving || !query.includes('insert into day_builds')) return;
      isRemoving = false;
      await store.ofWebsite(opened.websiteId).removeDays('all');
    },
  });
  await opened.add(records.slice(0, 50), records[49]!.receivedAtMs);
  await opened.ready();
  await opened.add(records.slice(50), records.at(-1)!.receivedAtMs);
  isRemoving = true;
  await assertCounted(opened, await opened.ready(), records);
  assert.equal(isRemoving, false);
  await opened.days.stop({ withinMs: 300_000 });
});

test('after a restart, changes continue from the base in the store, until a record comes late', async () => {
  const [late, ...records] = drawDay(22);
  const opened = open();
  const [first, rest] = [records.slice(0, 50), records.slice(50)];
  await opened.add(first, first.at(-1)!.receivedAtMs);
  const before = await opened.ready();
  await opened.days.stop({ withinMs: 300_000 });
  const reopened = opened.reopen({});
  // At first, the loader no longer knows up to when the store has everything.
  await opened.add(rest, first[0]!.receivedAtMs);
  const unchanged = await opened.ready(reopened);
  assert.deepEqual(unchanged.builds, before.builds);
  await assertCounted(opened, unchanged, first);
  opened.loader.completeMs = rest.at(-1)!.receivedAtMs;
  const changed = await opened.ready(reopened);
  assert.equal(changed.builds[0]?.base, before.builds[0]?.build);
  await assertCounted(opened, changed, records);
  await opened.add([late!], rest.at(-1)!.receivedAtMs);
  const ready = await opened.ready(reopened);
  assert.equal(ready.builds[0]?.base, undefined, 'the day is built as a whole');
  await assertCounted(opened, ready, [late!, ...records]);
  await reopened.stop({ withinMs: 300_000 });
});

testLong(
  'a day that was built by a clock that was ahead counts records from after it was set back',
  async () => {
    const records = drawDay(23);
    const opened = open();
    await opened.add(records.slice(0, 50), opened.clock.now() + 30 * 86_400_000);
    await opened.ready();
    await opened.days.stop({ withinMs: 300_000 });
    const reopened = opened.reopen({});
    await opened.add(records.slice(50), opened.clock.now());
    await assertCounted(opened, await opened.ready(reopened), records);
    await reopened.stop({ withinMs: 300_000 });
  },
);

testLong('changing the address rules rebuilds the day as a whole', async () => {
  const records = withoutClients(drawDay(26)).map((record, at) => ({
    ...record,
    path: at % 2 ? '/A' : '/a',
  }));
  const opened = open();
  await opened.add(records.slice(0, 40), records[39]!.receivedAtMs);
  const before = await opened.ready();
  opened.rules.ignoreCase = true;
  await opened.add(records.slice(40), records.at(-1)!.receivedAtMs);
  const ready = await opened.ready();
  assert.equal(ready.builds[0]?.base, undefined);
  assert.notEqual(ready.builds[0]?.build, before.builds[0]?.build);
  await assertCounted(
    opened,
    ready,
    records.map((record) => ({ ...record, path: '/a' })),
  );
  await opened.days.stop({ withinMs: 300_000 });
});

testLong(
  'counts a large day as a whole until it is known what the store has, and then gives it a base',
  async () => {
    const records = drawDay(24);
    const opened = open();
    for (const [end, completeMs] of [
      [50, 0],
      [60, 0],
      [70, records[69]!.receivedAtMs],
    ] as const) {
      await opened.add(records.slice(end === 50 ? 0 : end - 10, end), completeMs);
      const ready = await opened.ready();
      await assertCounted(opened, ready, records.slice(0, end));
      assert.equal(ready.days[0]!.hasBase, completeMs > 0);
    }
    await opened.days.stop({ withinMs: 300_000 });
  },
);

test('a crash between two statements of a change leaves the numbers unchanged, and rows that are removed', async () => {
  const records = drawDay(24);
  // Before the first of them, nothing is written that could be left.
  const first = isLongForm ? [/insert into open_visits/] : [];
  const steps = [...first, /insert into open_rollups/, /insert into day_builds/];
  const broken: { step?: RegExp } = {};
  const opened = open({
    onRun: async ({ query }) => {
      if (broken.step?.test(query)) throw new Error('broken on purpose');
    },
  });
  await opened.add(records.slice(0, 50), records[49]!.receivedAtMs);
  await opened.ready();
  for (const [index, step] of steps.entries()) {
    broken.step = step;
    const end = 60 + 10 * index;
    await opened.add(records.slice(end - 10, end), records[end - 1]!.receivedAtMs);
    await assert.rejects(opened.ready(), /on purpose/);
    const rows = await opened.rowsIn('visits');
    opened.clock.pass(1000);
    const reopened = opened.reopen({});
    const ready = await opened.ready(reopened);
    assert.notEqual(ready.builds[0]?.base, undefined, 'it is a change');
    await assertCounted(opened, ready, records.slice(0, end));
    if (index > 0) {
      // The sweep removes what failed changes have left, and keeps the base and the change.
      assert.ok(rows > 0 && (await opened.rowsIn('visits')) > rows);
      opened.clock.pass(2 * 3_600_000);
      await reopened.sweep('2026-04-01');
      const kept = ready.builds.flatMap(({ build, base }) => [build, base]);
      const isOther = `build not in (${kept.join(', ')})`;
      for (const table of ['open_visits', 'open_rollups'])
        assert.equal(await opened.rowsIn(table, isOther), 0, table);
      const later = await opened.ready(reopened);
      assert.deepEqual(later.builds, ready.builds);
      await assertCounted(opened, later, records.slice(0, end));
    }
    await reopened.stop({ withinMs: 300_000 });
  }
});

testLong('removes replaced changes after a while, but not the current base', async () => {
  const records = drawDay(27);
  const opened = open();
  for (let end = 60; end <= 80; end += 10) {
    await opened.add(records.slice(end === 60 ? 0 : end - 10, end), records[end - 1]!.receivedAtMs);
    await opened.ready();
    opened.clock.pass(61_000);
  }
  await opened.add(records.slice(80, 90), records[89]!.receivedAtMs);
  const ready = await opened.ready();
  const { build, base } = ready.builds[0]!;
  const [counted] = await store.query<{ builds: string[] }>({
    query: `
      select arraySort(groupUniqArray(toString(build))) as builds
      from open_visits
      where website_id = ${opened.websiteId}`,
  });
  // The previous change has just been replaced, so somebody may still read it.
  assert.equal(counted?.builds.length, 3);
  assert.ok(counted.builds.includes(base!) && counted.builds.includes(build));
  await assertCounted(opened, ready, records.slice(0, 90));
  await opened.days.stop({ withinMs: 300_000 });
});

testLong('a person who is erased while a change counts is in neither the base nor the change', async () => {
  const records = drawDay(26);
  const opened = open();
  const half = Math.floor(records.length / 2);
  await opened.add(records.slice(0, half), records[half - 1]!.receivedAtMs);
  await opened.ready();
  await opened.add(records.slice(half), records.at(-1)!.receivedAtMs);
  await opened.ready();
  const inBoth = records
    .slice(half)
    .find(({ hasClientId, visitorId }) =>
      records.slice(0, half).some((record) => hasClientId && record.visitorId === visitorId),
    );
  const erased = inBoth!.visitorId;
  assert.ok((await opened.rowsIn('visits', `visitor_id = ${erased}`)) > 1);
  const website = store.ofWebsite(opened.websiteId);
  await website.removeRecords({ visitorId: String(erased), receivedBefore: Date.parse('2026-05-01') });
  await opened.days.forgetVisitors(opened.websiteId, [String(erased)], tomorrow);
  assert.equal(await opened.rowsIn('visits', `visitor_id = ${erased}`), 0);
  const left = records.filter(({ visitorId }) => visitorId !== erased);
  await assertCounted(opened, await opened.ready(), left);
  if (isLongForm) {
    // Nothing of the website stays when all of it is removed, either.
    await website.removeRecords('all');
    await opened.days.inTurn(() => website.removeDays('all'));
    for (const table of ['visits', 'rollups', 'day_builds'])
      assert.equal(await opened.rowsIn(table), 0, table);
  }
  await opened.days.stop({ withinMs: 300_000 });
});
