import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { maxGoals } from '@trackside/contract/app/limits.ts';
import { openTestControl } from '../test-control.ts';

const signup = { name: 'Sign-up', goal: { event: 'signup' } };
const thanks = { name: null, goal: { page: '/thanks/*' } };

async function open(t: TestContext) {
  const { control } = await openTestControl(t);
  for (const domain of ['a.test', 'b.test'])
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  return control.goals;
}

test('keeps goals unchanged, each for its website, in the order in which they were added', async (t) => {
  const goals = await open(t);
  assert.deepEqual(await goals.add(1, { ...signup, name: ' Sign-up ' }), { id: 1, ...signup });
  await goals.add(2, signup);
  assert.deepEqual(await goals.add(1, { ...thanks, name: ' ' }), { id: 3, ...thanks });
  assert.deepEqual(await goals.list(1), [
    { id: 1, ...signup },
    { id: 3, ...thanks },
  ]);
});

test('refuses the same page or event twice, but not an event with the name of a page', async (t) => {
  const goals = await open(t);
  await goals.add(1, thanks);
  await assert.rejects(goals.add(1, { ...thanks, name: 'Again' }), {
    reason: 'already-exists',
    field: 'goal',
  });
  await goals.add(1, { name: null, goal: { event: '/thanks/*' } });
});

test('changes the name, the page or the event of a goal, and keeps the rest', async (t) => {
  const goals = await open(t);
  await goals.add(1, signup);
  await goals.add(1, thanks);
  assert.deepEqual(await goals.change(1, 2, { name: ' Thanks ' }), { id: 2, ...thanks, name: 'Thanks' });
  const page = { page: '/danke' };
  assert.deepEqual(await goals.change(1, 2, { goal: page }), { id: 2, name: 'Thanks', goal: page });
  assert.deepEqual(await goals.change(1, 2, { name: '', goal: page }), { id: 2, name: null, goal: page });
  await assert.rejects(goals.change(1, 2, { goal: signup.goal }), {
    reason: 'already-exists',
    field: 'goal',
  });
  await assert.rejects(goals.change(1, 2, { name: 'two\nlines' }), { reason: 'invalid' });
  assert.equal(await goals.change(2, 2, { name: 'Not theirs' }), undefined);
  assert.deepEqual(await goals.list(1), [
    { id: 1, ...signup },
    { id: 2, name: null, goal: page },
  ]);
});

test('removes only goals of the same website, and never reuses an id', async (t) => {
  const goals = await open(t);
  await goals.add(1, signup);
  assert.equal(await goals.remove(2, 1), undefined);
  assert.deepEqual(await goals.remove(1, 1), { id: 1, ...signup });
  assert.equal(await goals.remove(1, 1), undefined);
  assert.equal((await goals.add(1, signup)).id, 2);
});

test('refuses an invalid name, an unknown website, and too many goals', async (t) => {
  const goals = await open(t);
  for (const name of ['x'.repeat(101), 'two\nlines'])
    await assert.rejects(goals.add(1, { ...signup, name }), { reason: 'invalid', message: /^Name: / });
  await assert.rejects(goals.add(99, signup), { reason: 'not-found' });
  for (let count = 0; count < maxGoals; count += 1)
    await goals.add(1, { name: null, goal: { page: `/${count}` } });
  await assert.rejects(goals.add(1, signup), { reason: 'invalid', message: /at most 30 goals/ });
  await goals.add(2, signup);
});
