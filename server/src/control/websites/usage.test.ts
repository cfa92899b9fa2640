import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../test-control.ts';

const march = (websiteId: number, records: number) => ({ websiteId, month: '2026-03', records });

test('knows nothing about a node that has never written', async (t) => {
  const { control } = await openTestControl(t);
  assert.deepEqual(await control.usage.read('a'), {
    position: undefined,
    settled: [],
    leased: [],
    elsewhere: [],
  });
  assert.equal(await control.usage.usedOf(1, '2026-03'), 0);
});

test('a checkpoint replaces totals and position, and keeps everything else', async (t) => {
  const { control, folder } = await openTestControl(t);
  const first = { segment: 1, offset: 100 };
  await control.usage.checkpoint({ node: 'a', position: first, settled: [march(1, 10), march(2, 20)] });
  const second = { segment: 2, offset: 7_000_000_000 };
  const april = { websiteId: 1, month: '2026-04', records: 1 };
  await control.usage.checkpoint({ node: 'a', position: second, settled: [march(1, 15), april] });
  await control.close();
  const { control: again } = await openTestControl(t, { folder });
  assert.deepEqual(await again.usage.read('a'), {
    position: second,
    settled: [march(1, 15), march(2, 20), april],
    leased: [],
    elsewhere: [],
  });
});

test('adds up a website over its nodes, and keeps the nodes apart', async (t) => {
  const { control } = await openTestControl(t);
  await control.usage.checkpoint({
    node: 'a',
    position: { segment: 1, offset: 1 },
    settled: [march(1, 10), march(2, 99)],
  });
  await control.usage.checkpoint({ node: 'b', position: { segment: 5, offset: 5 }, settled: [march(1, 7)] });
  assert.equal(await control.usage.usedOf(1, '2026-03'), 17);
  assert.equal(await control.usage.usedOf(1, '2026-04'), 0);
  assert.deepEqual(await control.usage.read('b'), {
    position: { segment: 5, offset: 5 },
    settled: [march(1, 7)],
    leased: [],
    elsewhere: [march(1, 10), march(2, 99)],
  });
});

test('adds up what the other nodes have counted in a month', async (t) => {
  const { control } = await openTestControl(t);
  const checkpoint = (node: string, settled: ReturnType<typeof march>[]) =>
    control.usage.checkpoint({ node, position: { segment: 1, offset: 1 }, settled });
  await checkpoint('a', [march(1, 10), march(2, 99), { ...march(1, 5), month: '2026-02' }]);
  await checkpoint('b', [march(1, 7)]);
  await checkpoint('c', [march(1, 3)]);
  assert.deepEqual(await control.usage.elsewhere('c', '2026-03'), [march(1, 17), march(2, 99)]);
  assert.deepEqual(await control.usage.elsewhere('a', '2026-02'), []);
});

test('writes a checkpoint completely or not at all', async (t) => {
  const { control } = await openTestControl(t);
  const before = {
    position: { segment: 1, offset: 100 },
    settled: [march(1, 10)],
    leased: [],
    elsewhere: [],
  };
  await control.usage.checkpoint({ node: 'a', ...before });
  const after = { segment: 1, offset: 200 };
  // These are more rows than fit in one statement, and the table refuses the last one.
  const settled = Array.from({ length: 1_500 }, (_, index) => march(index + 1, 11));
  const broken = [...settled, march(9_999, Number.NaN)];
  await assert.rejects(
    control.usage.checkpoint({ node: 'a', position: after, settled: broken }),
    /NOT NULL|invalid input/,
  );
  assert.deepEqual(await control.usage.read('a'), before);
  await control.usage.checkpoint({ node: 'a', position: after, settled });
  assert.deepEqual(await control.usage.read('a'), { position: after, settled, leased: [], elsewhere: [] });
});

test('what a lost node had leased is given back, except for what it has used', async (t) => {
  const { control } = await openTestControl(t);
  const { usage } = control;
  const lease = (node: string, websiteId: number, needed: number) =>
    usage.lease({ node, websiteId, month: '2026-03', held: 0, needed, limit: 100 });
  for (const websiteId of [1, 2, 3]) await lease('lost', websiteId, 60);
  await usage.checkpoint({
    node: 'lost',
    position: { segment: 1, offset: 1 },
    settled: [march(1, 20), march(2, 20), march(3, 60)],
  });
  assert.deepEqual(await lease('other', 1, 100), { leased: 40, elsewhere: 60 });
  assert.deepEqual(await usage.unusedLeases('lost'), [
    { websiteId: 1, month: '2026-03' },
    { websiteId: 2, month: '2026-03' },
  ]);
  // The store has records that were accepted after the checkpoint, or lacks some that were erased.
  assert.equal(await usage.endLeases('lost', [march(1, 25), march(2, 3)]), 35 + 40);
  assert.deepEqual(await lease('other', 1, 100), { leased: 75, elsewhere: 25 });
  assert.deepEqual(await lease('other', 2, 100), { leased: 80, elsewhere: 20 });
  assert.deepEqual(await lease('other', 3, 100), { leased: 40, elsewhere: 60 });
  assert.equal(await usage.endLeases('lost', [march(1, 25)]), 0, 'once');
});
