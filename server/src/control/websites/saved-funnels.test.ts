import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { maxFunnels } from '@trackside/contract/app/limits.ts';
import { openTestControl } from '../test-control.ts';

const funnel = {
  name: 'Buying',
  steps: [{ page: '/products/*' }, { event: 'purchase', parameter: { name: 'plan', value: '“pro”' } }],
  withinDays: null,
};

async function open(t: TestContext) {
  const { control } = await openTestControl(t);
  for (const domain of ['a.test', 'b.test'])
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  return control.savedFunnels;
}

test('keeps funnels unchanged, each for its website, in the order in which they were added', async (t) => {
  const funnels = await open(t);
  assert.deepEqual(await funnels.list(1), []);
  assert.deepEqual(await funnels.add(1, { ...funnel, name: ' Buying ' }), { id: 1, ...funnel });
  await funnels.add(2, funnel);
  const slow = { ...funnel, name: 'A slow one', withinDays: 30 };
  assert.deepEqual(await funnels.add(1, slow), { id: 3, ...slow });
  assert.deepEqual(await funnels.list(1), [
    { id: 1, ...funnel },
    { id: 3, ...slow },
  ]);
});

test('removes only funnels of the same website, and never reuses an id', async (t) => {
  const funnels = await open(t);
  await funnels.add(1, funnel);
  assert.equal(await funnels.remove(2, 1), undefined);
  assert.deepEqual(await funnels.remove(1, 1), { id: 1, ...funnel });
  assert.equal(await funnels.remove(1, 1), undefined);
  assert.equal((await funnels.add(1, funnel)).id, 2);
});

test('changes only funnels of the same website, and keeps their id and place', async (t) => {
  const funnels = await open(t);
  await funnels.add(1, funnel);
  await funnels.add(1, funnel);
  const changed = { id: 1, name: 'Buying again', steps: [{ page: '/' }, { page: '/cart' }], withinDays: 7 };
  assert.equal(await funnels.change(2, changed), undefined);
  assert.equal(await funnels.change(1, { ...changed, id: 9 }), undefined);
  assert.deepEqual(await funnels.change(1, { ...changed, name: ' Buying again ' }), changed);
  assert.deepEqual(await funnels.list(1), [changed, { id: 2, ...funnel }]);
  await assert.rejects(funnels.change(1, { ...changed, name: '' }), { reason: 'invalid' });
});

test('puts funnels into another order, and new ones after them', async (t) => {
  const funnels = await open(t);
  for (const name of ['a', 'b', 'c']) await funnels.add(1, { ...funnel, name });
  await funnels.add(2, { ...funnel, name: 'of another website' });
  const names = async () => (await funnels.list(1)).map(({ name }) => name).join('');
  const arranged = await funnels.arrange(1, [3, 1, 2]);
  assert.equal(arranged.map(({ name }) => name).join(''), 'cab');
  assert.equal(await names(), 'cab');
  await funnels.add(1, { ...funnel, name: 'd' });
  assert.equal(await names(), 'cabd');
  for (const ids of [[3, 1, 2], [3, 1, 2, 4], [3, 3, 1, 2], []])
    await assert.rejects(funnels.arrange(1, ids), { reason: 'invalid', message: /^IDs: / });
  assert.equal(await names(), 'cabd');
});

test('refuses a name that is empty, too long or more than a line, and an unknown website', async (t) => {
  const funnels = await open(t);
  for (const name of ['', '  ', 'x'.repeat(101), 'two\nlines'])
    await assert.rejects(funnels.add(1, { ...funnel, name }), { reason: 'invalid', message: /^Name: / });
  await assert.rejects(funnels.add(99, funnel), { reason: 'not-found' });
  assert.deepEqual(await funnels.list(1), []);
});

test('reports too many funnels', async (t) => {
  const funnels = await open(t);
  for (let count = 0; count < maxFunnels; count += 1) await funnels.add(1, funnel);
  await assert.rejects(funnels.add(1, funnel), { reason: 'invalid', message: /at most 50 funnels/ });
  await funnels.add(2, funnel);
});
