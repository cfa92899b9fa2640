import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createViewTransition } from './create-view-transition.ts';

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const turns: string[] = [];
  const transition = createViewTransition<string>({ graceMs: 100, turn: (to) => turns.push(to) });
  const begin = () => {
    const question = {};
    transition.begin(question);
    return question;
  };
  return { transition, begin, turns, tick: (ms: number) => t.mock.timers.tick(ms) };
}

test('the page turns at once when everything is known', (t) => {
  const { transition, turns, tick } = start(t);
  transition.want('new');
  assert.deepEqual(turns, []);
  tick(0);
  assert.deepEqual(turns, ['new']);
});

test('it turns when all answers are there', (t) => {
  const { transition, begin, turns, tick } = start(t);
  const [one, other] = [begin(), begin()];
  transition.want('new');
  tick(5_000);
  assert.deepEqual(turns, [], 'the old numbers stay as long as it takes');
  transition.end(one, true);
  transition.end(other, true);
  tick(0);
  assert.deepEqual(turns, ['new']);
});

test('a slow answer does not hold up the others', (t) => {
  const { transition, begin, turns, tick } = start(t);
  const [one] = [begin(), begin()];
  transition.want('new');
  transition.end(one!, true);
  tick(99);
  assert.deepEqual(turns, []);
  tick(1);
  assert.deepEqual(turns, ['new']);
});

test('what was wanted in between is never shown', (t) => {
  const { transition, begin, turns, tick } = start(t);
  const one = begin();
  transition.want('between');
  tick(0);
  transition.end(one, false);
  const other = begin();
  transition.want('new');
  tick(1_000);
  assert.deepEqual(turns, []);
  transition.end(other, true);
  tick(0);
  assert.deepEqual(turns, ['new']);
});

test('an answer to something else turns nothing', (t) => {
  const { transition, begin, turns, tick } = start(t);
  begin();
  transition.want('new');
  transition.end({}, true);
  tick(1_000);
  assert.deepEqual(turns, []);
});
