import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGoal, emptyGoal, toGoal, toGoalDraft } from './goal-draft.ts';
import { goalsWords } from './goals-words.ts';

const check = (draft: Partial<typeof emptyGoal>) =>
  Object.keys(checkGoal({ ...emptyGoal, ...draft }, goalsWords.adding));

test('opens a saved goal for editing unchanged', () => {
  for (const goal of [{ page: '/thanks/*' }, { event: 'Signup' }])
    assert.deepEqual(toGoal(toGoalDraft({ name: null, goal })), goal);
  assert.equal(toGoalDraft({ name: 'Sign-up', goal: { event: 'Signup' } }).name, 'Sign-up');
});

test('requires only the chosen field', () => {
  assert.deepEqual(check({}), ['page']);
  assert.deepEqual(check({ page: 'thanks' }), ['page']);
  assert.deepEqual(check({ page: ' /thanks' }), []);
  assert.deepEqual(check({ goal: 'event', event: ' ' }), ['event']);
  assert.deepEqual(check({ goal: 'event', event: 'signup' }), []);
  assert.deepEqual(check({ page: '/', name: 'x'.repeat(101) }), ['name']);
});

test('keeps the name of an event as it was typed, because it is compared exactly', () => {
  assert.deepEqual(toGoal({ ...emptyGoal, page: ' /thanks ' }), { page: '/thanks' });
  assert.deepEqual(toGoal({ ...emptyGoal, goal: 'event', event: ' signup', page: '/' }), {
    event: ' signup',
  });
});
