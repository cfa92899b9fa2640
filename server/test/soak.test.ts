import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTrend, type Point } from '../../bench/soak/find-trend.ts';
import { runSoak } from '../../bench/soak/run-soak.ts';
import { findTrends, showTrends } from '../../bench/soak/show-trends.ts';
import { signIn } from '../../bench/soak/sign-in.ts';
import { helpText, readSoakOptions } from '../../bench/soak/soak-options.ts';
import { testLong, times } from './support/long-form.ts';
import { startTrackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const totalMs = 100_000;
const bound = { share: 0.1, atLeast: 10 };
const trendOf = (valueAt: (ms: number) => number) => {
  const points: Point[] = Array.from({ length: 100 }, (_, at) => ({
    atMs: at * 1_000,
    value: valueAt(at * 1_000),
  }));
  return findTrend(points, { totalMs, bound, quantile: 0.5 });
};

test('what goes on growing is found, and what fills up, jitters or jumps once is not', () => {
  assert.equal(trendOf((ms) => 100 + ms / 1_000).hasGrown, true);
  assert.equal(trendOf((ms) => 100 + ms / 1_000 + 30 * Math.sin(ms)).hasGrown, true);
  assert.equal(trendOf(() => 100).hasGrown, false);
  assert.equal(trendOf((ms) => 100 + 30 * Math.sin(ms)).hasGrown, false);
  assert.equal(trendOf((ms) => 200 - ms / 1_000).hasGrown, false);
  // A cache that is full before the last quarter.
  assert.equal(trendOf((ms) => 100 + Math.min(ms, 60_000) / 1_000).hasGrown, false);
  assert.equal(trendOf((ms) => (ms > 40_000 && ms < 50_000 ? 900 : 100)).hasGrown, false);
  // Less than its bound.
  assert.equal(trendOf((ms) => 100 + ms / 10_000).hasGrown, false);
  assert.equal(Math.round(trendOf((ms) => 100 + ms / 1_000).perHour), 3_600);
});

test('a soak without options runs for half an hour at half the peak, and wrong options are named', () => {
  const read = (...words: string[]) => readSoakOptions(words, 7);
  const { reportFile, ...rest } = read() as Exclude<ReturnType<typeof read>, 'help'>;
  assert.deepEqual(rest, { minutes: 30, rate: undefined, dashboards: 4, workers: '1', seed: 7 });
  assert.match(reportFile, /trackside-soak-7\.json$/);
  assert.equal(read('--help'), 'help');
  for (const name of ['minutes', 'rate', 'dashboards', 'workers', 'seed', 'report'])
    assert.match(helpText, new RegExp(`^ {2}--${name} `, 'm'));
  assert.throws(() => read('--minutes', '0'), /--minutes: expected more than 0, got "0"/);
  assert.throws(() => read('--rate', 'fast'), /--rate: expected a whole number, got "fast"/);
  assert.throws(() => read('--speed', '1'), /--speed/);
});

testLong('a short soak samples a real server, whose handles and segments stay bounded', async (t) => {
  const user = { email: 'ada@example.com', password: 'a long enough secret' };
  const server = await startTrackside(t, {
    environment: { TRACKSIDE_ADMIN_EMAIL: user.email, TRACKSIDE_ADMIN_PASSWORD: user.password },
  });
  const websites = [await server.addWebsite('one.test'), await server.addWebsite('two.test')];
  const trackside = {
    origin: server.origin(),
    pid: server.pid(),
    dataDir: server.dataDir,
    store: server.store,
    apiKeys: websites.map(({ apiKey }) => apiKey),
    websiteIds: websites.map(({ id }) => id),
  };
  await waitFor('the store to be set up', () => server.store.isMigrated());
  const run = await runSoak({
    trackside,
    ...(await signIn(trackside, user)),
    perSecond: 50,
    totalMs: times(1_500, 20_000),
    dashboards: 1,
    seed: 1,
    onSample: () => {},
  });
  const { samples, seen, statuses, unanswered } = run;
  assert.deepEqual(Object.keys(statuses), ['200']);
  assert.equal(unanswered, 0);
  assert.deepEqual(seen.wrong, []);
  assert.ok(seen.counts.opened > 0, 'expected a dashboard to be open');
  assert.ok(samples.length >= 1, 'expected a sample, however slow the machine is');
  const [first, last] = [samples[0]!, samples.at(-1)!];
  for (const { memoryMb, files, sockets, threads } of [last.node, last.engine])
    assert.ok(memoryMb > 1 && files > 1 && sockets > 0 && threads > 1);
  assert.ok(last.journalBytes > 0 && last.parts > 0 && last.otherBytes > 0);
  assert.ok(last.journalSegments <= 3, `${last.journalSegments} segments`);
  assert.ok(last.node.files <= first.node.files + 8, `${last.node.files} files`);
  const trends = findTrends(samples, seen.screens, run.totalMs);
  assert.equal(showTrends(trends).length, trends.length + 1);
});
