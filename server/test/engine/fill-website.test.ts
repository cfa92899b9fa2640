import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDemo } from '../../src/demo/create-demo.ts';
import { type FillProgress, fillWebsite } from '../../src/demo/fill-website.ts';
import { newWebsiteId, shareTestStore } from '../support/test-store.ts';

const { store } = await shareTestStore();

const website = { id: newWebsiteId(), domain: 'demo.trackside.test', timezone: 'Europe/Berlin' };
const seed = 1;
// These twenty days are in two months.
const options = { days: 20, visitsPerDay: 50, seed, nowMs: Date.parse('2026-03-10T09:00:00Z') };

test('a demo is in the store, in batches of one month each, and can be counted', async () => {
  const demo = createDemo({ ...website, ...options });
  const expected = demo.days.flatMap((day) => demo.recordsOf(day));
  const seen: FillProgress[] = [];
  const { records, batches } = await fillWebsite({
    store,
    website,
    demo,
    seed,
    maxBatchRows: 500,
    onProgress: (progress) => seen.push(progress),
  });
  assert.equal(records, expected.length);

  const counts = await store.countBatches({
    node: 'demo',
    fromBatch: 0,
    toBatch: Number.MAX_SAFE_INTEGER,
    fromDay: '1970-01-01',
  });
  assert.equal(counts.length, batches);
  assert.equal(new Set(counts.map(({ batch }) => batch)).size, batches);
  assert.equal(Math.max(...counts.map(({ rows }) => rows)), 500);
  assert.equal(
    counts.reduce((sum, { rows }) => sum + rows, 0),
    records,
  );
  assert.deepEqual([...new Set(counts.map(({ month }) => month))], [202602, 202603]);

  const [counted] = await store.ofWebsite(website.id).query<Record<string, number>>({
    query: `
      select countIf(kind = 'event' and not is_bot) as events, countIf(is_bot) as bots, count() as all,
        uniqExactIf(visitor_id, not is_bot) as visitors
      from records`,
  });
  const { events, bots = 0, all, visitors = 0 } = counted!;
  assert.equal(all, records);
  assert.equal(events, expected.filter(({ valid }) => valid.kind === 'event').length);
  assert.ok(bots > 0 && visitors > 500, JSON.stringify(counted));

  assert.deepEqual(seen.at(-1), { daysDone: 20, days: 20, records });
  assert.equal(seen.length, 20);
});

test('a batch that the store refuses ends it with the reason', async () => {
  const demo = createDemo({ ...website, ...options });
  const broken = { insertBatch: () => Promise.reject(new Error('no space')) };
  await assert.rejects(
    fillWebsite({ store: broken, website, demo, seed, maxBatchRows: 100, onProgress: () => {} }),
    /no space/,
  );
});
