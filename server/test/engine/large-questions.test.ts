import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { hideQuoted } from '../../src/node/engine-process.ts';
import { createStatistics } from '../../src/stats/create-statistics.ts';
import { systemClock } from '../../src/time/clock.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { testLong } from '../support/long-form.ts';
import { nothingSaved } from '../support/nothing-saved.ts';
import { openDayBuilder, websiteOf } from '../support/test-days.ts';
import { newWebsiteId, shareTestStore } from '../support/test-store.ts';

const website = websiteOf(newWebsiteId());
const { store } = await shareTestStore();
const days = openDayBuilder(store, { sharedMs: 1000 });
const statistics = createStatistics({
  store,
  days,
  clock: systemClock,
  completeUpToMs: Date.now,
  saved: nothingSaved,
});
after(() => days.stop({ withinMs: 300_000 }));

/** Fills a value with the characters that take the most space on the way to the store. */
const filled = (name: string, length: number) => `${name}${"'\\".repeat(length)}`.slice(0, length);

/** Returns as many filters with as many and as long values as fit. No value is the start of another one. */
function largestFilters() {
  const dimensions = [
    'page',
    'host',
    'event',
    'parameterValue',
    'queryParameter',
    'region',
    'entryPage',
    'city',
  ];
  const bytes = 128 * 1024;
  const [filters, values] = [20, 3];
  const each = Math.floor(bytes / filters / values);
  return Array.from({ length: filters }, (_, filter) => ({
    dimension: dimensions[filter % dimensions.length],
    anyOf: Array.from({ length: values }, (_value, value) =>
      filled(`${filter} ${value} `, Math.min(each, 2048)),
    ),
  }));
}

const sizeOf = (filters: { anyOf: string[] }[]) =>
  filters.reduce((sum, { anyOf }) => sum + anyOf.reduce((all, text) => all + Buffer.byteLength(text), 0), 0);

test('the largest questions that are allowed reach the store', async () => {
  const filters = largestFilters();
  const left = 128 * 1024 - sizeOf(filters);
  filters[0]!.anyOf.push(
    ...Array.from({ length: Math.floor(left / 2048) }, (_, at) => filled(`more ${at} `, 2048)),
  );
  filters[1]!.anyOf.push(filled('rest ', 128 * 1024 - sizeOf(filters)));
  assert.equal(sizeOf(filters), 128 * 1024);
  const period = '7320d';
  const long = filled('long ', 2048);
  const asked = statistics.query(website, {
    period,
    filters,
    goal: long,
    metrics: ['conversionRate'],
    compare: 'previousPeriod',
    dimensions: [{ dimension: 'parameterValue', of: long }, 'page', 'city', 'event'],
  });
  // The goal is looked up when the store has answered that there are no conversions.
  await assert.rejects(asked, { name: 'QuestionError', fault: 'goal-unknown' });
  const steps = Array.from({ length: 8 }, (_, at) => ({
    event: filled(`${at} `, 2048),
    parameter: { name: filled(`${at} `, 2048), value: filled(`${at} `, 2048) },
  }));
  assert.equal((await statistics.funnel(website, { period, filters, steps })).steps[0]?.visitors, 0);
  assert.equal((await statistics.paths(website, { period, filters, page: long })).visits, 0);
  assert.equal((await statistics.retention(website, { period, filters })).visitorsWithoutClientId, 0);
  const oneMore = [
    ...filters.slice(0, -1),
    { ...filters.at(-1)!, of: undefined, anyOf: [...filters.at(-1)!.anyOf, 'x'] },
  ];
  await assert.rejects(statistics.query(website, { filters: oneMore }), {
    name: 'QuestionError',
    message: 'filters: expected at most 131072 bytes of text in total, got 131073',
  });
});

testLong('compares long lists of long values, each row with its own', async () => {
  const dayMs = 86_400_000;
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  const [any] = fc.sample(recordsOf({ startMs: today, days: 1, timezones: ['UTC', 'UTC'] }), {
    numRuns: 1,
    seed: 1,
  });
  const at = (ms: number, path: string, visitorId: bigint): TestRecord => ({
    ...any![0]!,
    path,
    visitorId,
    deviceId: visitorId,
    receivedAtMs: ms,
    hasClientId: true,
    isBot: false,
    kind: 'page_view',
    day: new Date(ms).toISOString().slice(0, 10),
    event: '',
    parameters: [],
    city: `City of ${path.slice(0, 4)}`,
    localAt: new Date(ms).toISOString().slice(0, 19).replace('T', ' '),
  });
  const paths = Array.from({ length: 100 }, (_, index) =>
    filled(`/${String(index).padStart(3, '0')} `, 2000),
  );
  const records = paths.flatMap((path, index) => [
    at(today - 1.5 * dayMs, path, BigInt(index + 1)),
    ...Array.from({ length: index % 3 }, () => at(today - 3.5 * dayMs, path, BigInt(index + 1))),
  ]);
  await insertRecords(store, website.id, records);
  const [from, to] = [2, 1].map((ago) => new Date(today - ago * dayMs).toISOString().slice(0, 10));
  for (const dimensions of [['page'], ['page', 'city']]) {
    const asked = {
      period: { from, to },
      dimensions,
      metrics: ['pageViews'],
      limit: 10_000,
      compare: 'previousPeriod',
    };
    const { rows } = await statistics.query(website, asked);
    assert.equal(rows.length, 100);
    for (const { dimensions: of, comparison } of rows)
      assert.equal(comparison?.pageViews, paths.indexOf(of.page!) % 3, of.page!.slice(0, 5));
  }
});

test('the store’s fault messages do not reveal what was asked for', async () => {
  const faults = [
    () => store.ofWebsite(1).query({ query: 'select {p1:UInt8} as x', params: { p1: 'secret' } }),
    () => store.query({ query: 'select {p1:String} as x', params: { p1: 'secret'.repeat(1_450_000) } }),
    () => store.ofWebsite(1).run({ query: 'select {p1:UInt8} as x', params: { p1: 'secret' } }),
  ];
  for (const fault of faults) {
    const error: unknown = await fault().then(
      () => assert.fail('expected a fault'),
      (reason) => reason,
    );
    const told = inspect(error, { depth: 10, showHidden: true });
    assert.doesNotMatch(told, /secret/);
  }
  await assert.rejects(
    faults[0]!,
    /^Error: the store answered \w+ \(code \d+\) to: select \{p1:UInt8\} as x$/,
  );
});

test('the engine’s last messages contain no values either', () => {
  const said = [
    "Code: 62. Syntax error: failed at position 9 ('secret'): 'secret''s more",
    'Received signal 11 (query_id: 7) (query: set param_p1 = secret)',
    "set param_p1 = 'secret",
    'cannot parse "secret\\"secret',
  ];
  for (const line of said) {
    assert.doesNotMatch(hideQuoted(line), /secret/);
    assert.notEqual(hideQuoted(line), '');
  }
  assert.equal(hideQuoted('std::bad_alloc in thread 7'), 'std::bad_alloc in thread 7');
});
