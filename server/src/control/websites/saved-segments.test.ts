import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { maxSegments } from '@trackside/contract/app/limits.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { openTestControl } from '../test-control.ts';

const filters: readonly Filter[] = [
  { dimension: 'country', anyOf: ['DE', 'AT'] },
  { dimension: 'parameterValue', of: 'plan', is: '“pro”' },
];
const segment = { name: 'Customers', filters, userId: null };

/** Opens two websites, with a user who sees both. */
async function open(t: TestContext) {
  const { control } = await openTestControl(t);
  for (const domain of ['a.test', 'b.test'])
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  for (const email of ['ada@example.com', 'bob@example.com'])
    await control.users.add({ email, password: 'a long enough secret', role: 'admin' });
  return { control, segments: control.savedSegments };
}

test('keeps segments unchanged, each for its website or its user, sorted by name', async (t) => {
  const { segments } = await open(t);
  assert.deepEqual(await segments.add(1, { ...segment, name: ' Customers ' }), { id: 1, ...segment });
  const own = { ...segment, name: 'At work', userId: 1 };
  await segments.add(1, own);
  await segments.add(2, segment);
  assert.deepEqual(await segments.list(1), [{ id: 1, ...segment }]);
  assert.deepEqual(await segments.list(1, 1), [
    { id: 2, ...own },
    { id: 1, ...segment },
  ]);
  assert.deepEqual(await segments.list(1, 2), [{ id: 1, ...segment }]);
  assert.deepEqual(await segments.find(1, 2, 1), { id: 2, ...own });
  for (const [websiteId, id, userId] of [
    [1, 2, 2],
    [1, 2, undefined],
    [2, 1, 1],
  ] as const)
    assert.equal(await segments.find(websiteId, id, userId), undefined);
});

test('changes the name, the filters or both, only for the same website', async (t) => {
  const { segments } = await open(t);
  await segments.add(1, segment);
  const named = { ...segment, id: 1, name: 'Buyers' };
  assert.deepEqual(await segments.change(1, 1, { name: ' Buyers ' }), named);
  const filtered = { ...named, filters: filters.slice(0, 1) };
  assert.deepEqual(await segments.change(1, 1, { filters: filters.slice(0, 1) }), filtered);
  assert.equal(await segments.change(2, 1, { name: 'Mine' }), undefined);
  assert.deepEqual(await segments.list(1), [filtered]);
});

test('refuses a duplicate name in one list, but not in another list', async (t) => {
  const { segments } = await open(t);
  await segments.add(1, segment);
  const refused = { reason: 'already-exists', field: 'name' };
  await assert.rejects(segments.add(1, segment), refused);
  await segments.add(1, { ...segment, userId: 1 });
  await assert.rejects(segments.add(1, { ...segment, userId: 1 }), refused);
  await segments.add(1, { ...segment, userId: 2 });
  const { id } = await segments.add(1, { ...segment, name: 'Others' });
  await assert.rejects(segments.change(1, id, { name: 'Customers' }), refused);
  await segments.change(1, id, { name: 'Others', filters });
});

test('removes only segments of the same website, and never reuses an id', async (t) => {
  const { segments } = await open(t);
  await segments.add(1, segment);
  assert.equal(await segments.remove(2, 1), undefined);
  assert.deepEqual(await segments.remove(1, 1), { id: 1, ...segment });
  assert.equal(await segments.remove(1, 1), undefined);
  assert.equal((await segments.add(1, segment)).id, 2);
});

test('removes a user’s own segments with the user, but not those of the website', async (t) => {
  const { control, segments } = await open(t);
  await segments.add(1, { ...segment, userId: 2 });
  await segments.add(1, segment);
  await control.users.remove(2);
  assert.equal(await segments.find(1, 1, 2), undefined);
  assert.deepEqual(await segments.list(1, 2), [{ id: 2, ...segment }]);
});

test('refuses an invalid name, an unknown website, and too many segments', async (t) => {
  const { segments } = await open(t);
  for (const name of ['', '  ', 'x'.repeat(101), 'two\nlines'])
    await assert.rejects(segments.add(1, { ...segment, name }), {
      reason: 'invalid',
      message: /^Name: /,
    });
  await assert.rejects(segments.add(99, segment), { reason: 'not-found' });
  for (let count = 0; count < maxSegments; count += 1)
    await segments.add(1, { ...segment, name: `Segment ${count}` });
  await assert.rejects(segments.add(1, segment), { reason: 'invalid', message: /at most 50 segments/ });
  await segments.add(1, { ...segment, userId: 1 });
});
