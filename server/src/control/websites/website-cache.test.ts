import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Control } from '../open-control.ts';
import { createFakeClock, createTestLog, openTestControl, silentLog } from '../test-control.ts';
import { runSql, testOnPostgres } from '../test-database.ts';
import { hashApiKey } from './hash-api-key.ts';
import { openWebsiteCache } from './website-cache.ts';

const input = { domain: 'example.com', timezone: 'UTC', contingent: 10 };
const startMs = Date.parse('2026-03-10T09:00:00Z');
const options = () => ({
  clock: createFakeClock('2026-03-10T09:00:00Z'),
  intervalMs: 60_000,
  settleMs: 0,
  log: silentLog(),
});
const wait = { interval: 5, timeout: 300_000 };

test('sees what another connection adds, changes and regenerates', async (t) => {
  const { control, folder } = await openTestControl(t);
  const { control: other } = await openTestControl(t, { folder });
  const websiteCache = await openWebsiteCache({ ...options(), control, intervalMs: 10 });
  t.after(() => websiteCache.stop());
  assert.equal(websiteCache.count(), 0);

  const { website, apiKey } = await other.websites.add(input);
  await t.waitFor(() => assert.equal(websiteCache.count(), 1), wait);
  const entry = websiteCache.apiKeys.get(hashApiKey(apiKey))?.website;
  assert.equal(entry, websiteCache.get(website.id));
  const [row] = await other.websites.cacheRows();
  assert.deepEqual(entry, { ...website, clientIdKey: row?.clientIdKey.toString('hex') });

  await other.websites.update(website.id, { contingent: 20 });
  await t.waitFor(() => assert.equal(websiteCache.get(website.id)?.contingent, 20), wait);

  const { apiKey: newKey } = await other.websites.regenerateKey(website.id);
  await t.waitFor(() => assert.ok(websiteCache.apiKeys.has(hashApiKey(newKey))), wait);
  assert.equal(websiteCache.apiKeys.get(hashApiKey(apiKey)), undefined);
});

test('knows the websites that existed before', async (t) => {
  const { control } = await openTestControl(t);
  const { apiKey } = await control.websites.add(input);
  const websiteCache = await openWebsiteCache({ ...options(), control });
  t.after(() => websiteCache.stop());
  assert.equal(websiteCache.apiKeys.get(hashApiKey(apiKey))?.website.domain, 'example.com');
  assert.equal(websiteCache.apiKeys.get(hashApiKey('another key')), undefined);
});

test('keeps the last view while the database fails, says so once, and recovers', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add(input);
  const { log, messages } = createTestLog();
  let isBroken = false;
  let failures = 0;
  const faulty = {
    ...control,
    async revision() {
      if (!isBroken) return await control.revision();
      failures++;
      throw new Error('disk on fire');
    },
  };
  const websiteCache = await openWebsiteCache({ ...options(), control: faulty, intervalMs: 5, log });
  t.after(() => websiteCache.stop());

  isBroken = true;
  await control.websites.add({ ...input, domain: 'other.example' });
  await t.waitFor(() => assert.ok(failures >= 3), wait);
  assert.equal(websiteCache.count(), 1);
  isBroken = false;
  await t.waitFor(() => assert.equal(websiteCache.count(), 2), wait);
  await t.waitFor(() => assert.equal(messages.length, 2), wait);
  assert.deepEqual(messages, [
    'websites cannot be read: continuing with those read last',
    'websites can be read again',
  ]);
});

/** A cache that looks for changes only when it is told to. */
async function open(t: TestContext, control: Control, changes: Partial<ReturnType<typeof options>> = {}) {
  const websiteCache = await openWebsiteCache({ ...options(), control, ...changes });
  t.after(() => websiteCache.stop());
  return websiteCache;
}

const row = { websiteId: 1, visitorId: '7', day: '2026-03-10', occurredAtMs: startMs - 1 };

test('knows when a replaced key expires', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  const { apiKey } = await control.websites.add(input);
  const { apiKey: newKey } = await control.websites.regenerateKey(1, { keepOldMs: 24 * 3_600_000 });
  const websiteCache = await open(t, control, { clock });
  const expiryOf = (key: string) => websiteCache.apiKeys.get(hashApiKey(key))?.expiresAt;
  assert.deepEqual([expiryOf(apiKey), expiryOf(newKey)], [startMs + 24 * 3_600_000, null]);
});

test('finds a website that is being deleted neither by its key nor by its id', async (t) => {
  const { control } = await openTestControl(t);
  const { apiKey } = await control.websites.add(input);
  await control.websites.add({ ...input, domain: 'other.example' });
  const websiteCache = await open(t, control);
  assert.ok(websiteCache.isWanted(row));
  await control.deletions.begin(1);
  await websiteCache.refresh();
  assert.equal(websiteCache.apiKeys.get(hashApiKey(apiKey)), undefined);
  assert.equal(websiteCache.get(1), undefined);
  assert.ok(!websiteCache.isWanted(row));
  assert.ok(websiteCache.isWanted({ ...row, websiteId: 2 }));
  assert.deepEqual(
    websiteCache.list().map(({ id, deletingSince }) => [id, deletingSince]),
    [
      [1, startMs],
      [2, null],
    ],
  );
});

test('wants later records of an erased visitor, and those of other visitors and websites', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add(input);
  await control.websites.add({ ...input, domain: 'other.example' });
  const erasure = await control.erasures.add(1, '7');
  const websiteCache = await open(t, control);
  assert.deepEqual(websiteCache.erasures(), [{ ...erasure, appliedBefore: null, visits: [] }]);
  assert.ok(websiteCache.isWanted(row), 'it tells which visits are theirs');
  const visits = [{ deviceId: '900', receivedFrom: startMs - 20, receivedUntil: startMs - 10 }];
  await control.erasures.apply(erasure, visits);
  await websiteCache.refresh();
  assert.deepEqual(websiteCache.erasures(), [{ ...erasure, appliedBefore: startMs, visits }]);
  assert.ok(!websiteCache.isWanted(row));
  const onDevice = (occurredAtMs: number) => ({ ...row, visitorId: '900', occurredAtMs });
  const inVisit = [-21, -20, -11, -10].map((ms) => !websiteCache.isWanted(onDevice(startMs + ms)));
  assert.deepEqual(inVisit, [false, true, true, false]);
  assert.ok(websiteCache.isWanted({ ...row, occurredAtMs: startMs }));
  assert.ok(websiteCache.isWanted({ ...row, visitorId: '70' }));
  assert.ok(websiteCache.isWanted({ ...row, websiteId: 2 }));
  assert.ok(!websiteCache.isWanted({ ...row, websiteId: 3 }), 'a website that is not there');
});

test('wants the records of a lost website, except for those that were erased', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.lose(2);
  await control.erasures.apply(await control.erasures.add(2, '7'), []);
  const websiteCache = await open(t, control);
  const wanted = [1, 2, 3].map((websiteId) => websiteCache.isWanted({ ...row, websiteId }));
  assert.deepEqual(wanted, [true, false, false]);
  assert.ok(websiteCache.isWanted({ ...row, websiteId: 2, visitorId: '70' }));
  assert.equal(websiteCache.get(2), undefined);
});

test('does not ask whose record it is unless somebody was erased', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add(input);
  await control.websites.add({ ...input, domain: 'other.example' });
  await control.websites.update(1, { retentionDays: 3 });
  await control.erasures.add(2, '7');
  const websiteCache = await open(t, control);
  const costly = {
    websiteId: 1,
    day: '2026-03-10',
    get visitorId(): string {
      throw new Error('asked for the visitor');
    },
    get occurredAtMs(): number {
      throw new Error('asked for the time');
    },
  };
  assert.ok(websiteCache.isWanted(costly));
});

test("wants days within the retention, in the website's own calendar", async (t) => {
  const clock = createFakeClock('2026-03-10T10:59:00Z');
  const { control } = await openTestControl(t, { clock });
  // There, midnight is at 11:00 UTC.
  await control.websites.add({ ...input, timezone: 'Pacific/Auckland' });
  await control.websites.update(1, { retentionDays: 2 });
  const websiteCache = await open(t, control, { clock });
  const isWanted = (day: string) => websiteCache.isWanted({ ...row, day });
  assert.deepEqual(['2026-03-07', '2026-03-08', '2026-03-10'].map(isWanted), [false, true, true]);
  clock.pass(60_000);
  await websiteCache.refresh();
  const wanted = ['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-11'].filter(isWanted);
  assert.deepEqual(wanted, ['2026-03-09', '2026-03-11']);
});

test('considers no day too old while the clock may be wrong', async (t) => {
  const clock = createFakeClock('2036-03-10T09:00:00Z');
  const { control } = await openTestControl(t);
  await control.websites.add(input);
  await control.websites.update(1, { retentionDays: 2 });
  const websiteCache = await open(t, control, { clock, settleMs: 600_000 });
  assert.ok(websiteCache.isWanted(row));
  clock.pass(600_000);
  await websiteCache.refresh();
  assert.ok(!websiteCache.isWanted(row));
});

test('an earlier refresh does not undo what a later one has read', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add(input);
  const slow = Promise.withResolvers<void>();
  let loads = 0;
  const websites = {
    ...control.websites,
    async cacheRows() {
      const rows = await control.websites.cacheRows();
      loads += 1;
      if (loads === 2) await slow.promise;
      return rows;
    },
  };
  // Only this test asks for refreshes.
  const watchChanges = () => ({ stop: async () => {} });
  const websiteCache = await open(t, { ...control, websites, watchChanges });
  await control.websites.update(1, { contingent: 20 });
  const earlier = websiteCache.refresh();
  await t.waitFor(() => assert.equal(loads, 2), wait);
  await control.websites.update(1, { contingent: 30 });
  await websiteCache.refresh();
  slow.resolve();
  await earlier;
  assert.equal(websiteCache.get(1)?.contingent, 30);
});

testOnPostgres('is told about the changes of another node, even after the connection was lost', async (t) => {
  const { control, folder } = await openTestControl(t);
  const { control: other } = await openTestControl(t, { folder });
  const { website } = await other.websites.add(input);
  // No poll happens during this test.
  const websiteCache = await openWebsiteCache({ ...options(), control });
  t.after(() => websiteCache.stop());
  const listeners =
    "select pid from pg_stat_activity where query like 'listen %' and datname = current_database()";
  await t.waitFor(async () => assert.equal((await runSql(folder, listeners)).length, 1), wait);
  await other.websites.update(website.id, { contingent: 20 });
  await t.waitFor(() => assert.equal(websiteCache.get(website.id)?.contingent, 20), wait);

  const [lost] = await runSql(folder, listeners);
  await runSql(folder, 'select pg_terminate_backend(cast(? as int))', lost?.pid);
  // It is missed, and seen once the next connection is open.
  await other.websites.update(website.id, { contingent: 30 });
  await t.waitFor(() => assert.equal(websiteCache.get(website.id)?.contingent, 30), wait);
});
