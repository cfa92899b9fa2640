import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameGoal, nameOfGoal } from './goal-names.ts';

test('calls a goal by its own name, or by its page or event', () => {
  assert.equal(nameOfGoal({ name: 'Sign-up', goal: { event: 'signup' } }), 'Sign-up');
  assert.equal(nameOfGoal({ name: null, goal: { event: 'signup' } }), 'signup');
  assert.equal(nameOfGoal({ name: null, goal: { page: '/thanks/*' } }), '/thanks/*');
});

test('distinguishes an event from a page of the same name', () => {
  assert.ok(isSameGoal({ page: '/thanks' }, { page: '/thanks' }));
  assert.ok(!isSameGoal({ page: '/thanks' }, { event: '/thanks' }));
  assert.ok(!isSameGoal({ event: 'signup' }, { event: 'login' }));
  assert.ok(!isSameGoal(undefined, undefined), 'none is not the same as none');
});
