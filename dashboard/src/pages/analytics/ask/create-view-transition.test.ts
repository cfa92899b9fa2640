import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Fault } from '#api/fault.ts';
import { createViewTransition } from './create-view-transition.ts';

const noon = '2026-11-15T12:00:00Z';
const busy: Fault = { kind: 'unavailable', message: 'busy', waitSeconds: 2, code: 'busy' };

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const turns: string[] = [];
  const transition = createViewTransition<string>({
    graceMs: 100,
    slowMs: 2_000,
    turn: (to) => turns.push(to),
  });
  const begin = () => {
    const question = {};
    transition.begin(question);
    return question;
  };
  return { transition, begin, turns, tick: (ms: number) => t.mock.timers.tick(ms) };
}

test('changes the view at once when everything is known', (t) => {
  const { transition, turns, tick } = start(t);
  transition.want('new');
  assert.deepEqual(turns, []);
  tick(0);
  assert.deepEqual(turns, ['new']);
});

test('changes the view when all answers have arrived', (t) => {
  const { transition, begin, turns, tick } = start(t);
  const [one, other] = [begin(), begin()];
  transition.want('new');
  tick(5_000);
  assert.deepEqual(turns, [], 'the old numbers stay as long as it takes');
  transition.answered(one, noon);
  transition.failed(other);
  tick(0);
  assert.deepEqual(turns, ['new']);
});

test('does not wait for a slow answer', (t) => {
  const { transition, begin, turns, tick } = start(t);
  const [one] = [begin(), begin()];
  transition.want('new');
  transition.answered(one!, noon);
  tick(99);
  assert.deepEqual(turns, []);
  tick(1);
  assert.deepEqual(turns, ['new']);
});

test('reports a slow wait after a while, until its last answer', (t) => {
  const { transition, begin, tick } = start(t);
  const [one, other] = [begin(), begin()];
  tick(1_999);
  assert.equal(transition.status().isSlow, false);
  tick(1);
  assert.equal(transition.status().isSlow, true);
  transition.answered(one, noon);
  assert.equal(transition.status().isSlow, true);
  transition.dropped(other);
  assert.equal(transition.status().isSlow, false);
  begin();
  tick(1_999);
  assert.equal(transition.status().isSlow, false, 'the next wait begins anew');
});

test('never shows a view that was replaced while it was loading', (t) => {
  const { transition, begin, turns, tick } = start(t);
  const one = begin();
  transition.want('between');
  tick(0);
  transition.dropped(one);
  const other = begin();
  transition.want('new');
  tick(1_000);
  assert.deepEqual(turns, []);
  transition.answered(other, noon);
  tick(0);
  assert.deepEqual(turns, ['new']);
});

test('ignores an answer to something else', (t) => {
  const { transition, begin, turns, tick } = start(t);
  begin();
  transition.want('new');
  transition.answered({}, noon);
  tick(1_000);
  assert.deepEqual(turns, []);
});

test('waits for a delayed question, and reports the delay until it is answered', (t) => {
  const { transition, begin, turns, tick } = start(t);
  const told: (string | undefined)[] = [];
  transition.listen(({ delay }) => told.push(delay?.message));
  const one = begin();
  transition.want('new');
  transition.delayed(one, busy);
  transition.delayed(one, busy);
  tick(1_999);
  assert.deepEqual(turns, []);
  assert.equal(transition.status().delay, busy);
  transition.answered(one, noon);
  tick(0);
  assert.deepEqual(turns, ['new']);
  assert.deepEqual(told, ['busy', undefined]);
});

test('ends a delay when nobody waits for the answer, or when there will be none', (t) => {
  const { transition, begin } = start(t);
  const [one, other] = [begin(), begin()];
  transition.delayed(one, busy);
  transition.delayed(other, busy);
  transition.dropped(one);
  assert.equal(transition.status().delay, busy);
  transition.failed(other);
  assert.equal(transition.status().delay, undefined);
});

test('takes the time of the newest answer', (t) => {
  const { transition, begin } = start(t);
  const [one, other] = [begin(), begin()];
  assert.equal(transition.status().asOf, undefined);
  transition.answered(one, noon);
  transition.answered(other, '2026-11-15T11:59:00Z');
  assert.equal(transition.status().asOf, noon);
});
