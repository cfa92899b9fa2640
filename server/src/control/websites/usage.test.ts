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
