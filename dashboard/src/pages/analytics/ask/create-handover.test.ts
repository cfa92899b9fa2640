import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createHandover } from './create-handover.ts';

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const turns: string[] = [];
  const handover = createHandover<string>({ graceMs: 100, turn: (to) => turns.push(to) });
  const begin = () => {
    const question = {};
    handover.begin(question);
    return question;
  };
  return { handover, begin, turns, tick: (ms: number) => t.mock.timers.tick(ms) };
}

test('the page turns at once when everything is known', (t) => {
  const { handover, turns, tick } = start(t);
  handover.want('new');
  assert.deepEqual(turns, []);
  tick(0);
  assert.deepEqual(turns, ['new']);
});

test('it turns when all answers are there', (t) => {
  const { handover, begin, turns, tick } = start(t);
  const [one, other] = [begin(), begin()];
  handover.want('new');
  tick(5_000);
  assert.deepEqual(turns, [], 'the old numbers stay as long as it takes');
  handover.end(one, true);
  handover.end(other, true);
  tick(0);
  assert.deepEqual(turns, ['new']);
});

test('a slow answer does not hold up the others', (t) => {
  const { handover, begin, turns, tick } = start(t);
  const [one] = [begin(), begin()];
  handover.want('new');
  handover.end(one!, true);
  tick(99);
  assert.deepEqual(turns, []);
  tick(1);
  assert.deepEqual(turns, ['new']);
});

test('what was wanted in between is never shown', (t) => {
  const { handover, begin, turns, tick } = start(t);
  const one = begin();
  handover.want('between');
  tick(0);
  handover.end(one, false);
  const other = begin();
  handover.want('new');
  tick(1_000);
  assert.deepEqual(turns, []);
  handover.end(other, true);
  tick(0);
  assert.deepEqual(turns, ['new']);
});

test('an answer to something else turns nothing', (t) => {
  const { handover, begin, turns, tick } = start(t);
  begin();
  handover.want('new');
  handover.end({}, true);
  tick(1_000);
  assert.deepEqual(turns, []);
});
