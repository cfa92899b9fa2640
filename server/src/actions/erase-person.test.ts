import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runErasures } from '../removal/run-erasures.ts';
import { openTestRemovals } from '../removal/test-removals.ts';
import { erasePerson } from './erase-person.ts';
import { ada, aTest, readEntries } from './test-actions.ts';

test('erases the records of a person, with entries about the request and the result', async (t) => {
  const { parts, state, control } = await openTestRemovals(t, ['a.test']);
  state.rows.push({ websiteId: 1, visitorId: '7', occurredAtMs: 5 });
  const person = { website: aTest, visitorId: '7' };
  const { records } = await erasePerson({ control, run: runErasures(parts).erase }, ada, person);
  assert.equal(records, 1);
  assert.deepEqual(state.rows, []);
  assert.deepEqual(await readEntries(control), [
    { actor: ada.email, action: 'person.erasure-started', websiteId: 1, subject: 'a.test', detail: {} },
    { actor: 'server', action: 'person.erased', websiteId: 1, subject: 'a.test', detail: { records: 1 } },
  ]);
});

test('an erasure that has to wait for the store still gets its entry', async (t) => {
  const { control } = await openTestRemovals(t, ['a.test']);
  const run = async () => {
    throw new Error('the store is away');
  };
  const person = { website: aTest, visitorId: '7' };
  await assert.rejects(erasePerson({ control, run }, ada, person), { message: 'the store is away' });
  assert.equal((await control.erasures.list()).length, 1);
  assert.deepEqual(
    (await readEntries(control)).map(({ action }) => action),
    ['person.erasure-started'],
  );
});

test('nobody is erased from a website that was deleted meanwhile', async (t) => {
  const { control } = await openTestRemovals(t, ['a.test']);
  const run = async () => ({ records: 0 });
  const person = { website: aTest, visitorId: '7' };
  await control.deletions.begin(aTest.id);
  await assert.rejects(erasePerson({ control, run }, ada, person), { reason: 'not-found' });
  await control.deletions.finish(aTest.id);
  await assert.rejects(erasePerson({ control, run }, ada, person), { reason: 'not-found' });
  assert.deepEqual(await control.erasures.list(), []);
});
