import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createStoreWaits } from './store-waits.ts';

function prepare(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const end = { segment: 1, offset: 100 };
  let nowMs = 0;
  let asked = 0;
  const answers: string[] = [];
  const waits = createStoreWaits({
    journal: { answeredTo: () => ({ ...end }) },
    clock: { monotonicMs: () => nowMs },
    loadSoon: () => {
      asked += 1;
    },
  });
  t.after(() => waits.close());
  return {
    waits,
    answers,
    asked: () => asked,
    wait(name: string, offset: number) {
      end.offset = offset;
      waits.wait((refusal) => answers.push(`${name}: ${refusal?.refused ?? 'stored'}`));
    },
    pass(ms: number) {
      nowMs += ms;
      t.mock.timers.tick(ms);
    },
  };
}

test('answers a record when the store has everything up to its end, not before', (t) => {
  const { waits, answers, wait, asked } = prepare(t);
  wait('a', 110);
  wait('b', 120);
  wait('c', 120);
  assert.equal(asked(), 1, 'the loader is woken once');
  waits.noteLoaded({ segment: 1, offset: 119 }, true);
  assert.deepEqual(answers, ['a: stored']);
  assert.ok(waits.isAwaited());
  waits.noteLoaded({ segment: 1, offset: 120 }, true);
  assert.deepEqual(answers, ['a: stored', 'b: stored', 'c: stored']);
  assert.ok(!waits.isAwaited());
  wait('repeat', 120);
  assert.equal(answers.at(-1), 'repeat: stored', 'nothing has come since');
});

test('after a failed INSERT, what was loaded before is waited for again', (t) => {
  const { waits, answers, wait } = prepare(t);
  waits.noteLoaded({ segment: 1, offset: 120 }, true);
  waits.noteUnsure();
  wait('a', 120);
  assert.deepEqual(answers, []);
  waits.noteLoaded({ segment: 2, offset: 20 }, true);
  assert.deepEqual(answers, ['a: stored']);
});

test('gives up after a bounded time, and takes no record until the store confirms one', (t) => {
  const { waits, answers, wait, pass } = prepare(t);
  wait('a', 110);
  pass(7900);
  wait('b', 120);
  assert.deepEqual(answers, []);
  assert.equal(waits.refusal(), undefined);
  pass(200);
  assert.deepEqual(answers, ['a: store-away'], 'b has not waited long enough');
  assert.equal(waits.refusal()?.refused, 'store-away');
  waits.noteLoaded({ segment: 1, offset: 110 }, true);
  assert.equal(waits.refusal(), undefined);
});

test('acknowledges nothing of a batch that could not be read completely', (t) => {
  const { waits, answers, wait } = prepare(t);
  wait('a', 110);
  waits.noteLoaded({ segment: 1, offset: 110 }, false);
  assert.deepEqual(answers, ['a: store-away']);
});

test('holds back a bounded number of answers', (t) => {
  const { waits, wait } = prepare(t);
  for (let at = 0; at < 20_000; at += 1) wait(String(at), 200);
  assert.equal(waits.refusal()?.refused, 'store-away');
  waits.noteLoaded({ segment: 1, offset: 200 }, true);
  assert.equal(waits.refusal(), undefined);
});

test('a server that stops answers those who wait before it closes their connections', (t) => {
  const { waits, answers, wait, pass } = prepare(t);
  wait('a', 110);
  waits.stop({ withinMs: 2000 });
  pass(1900);
  assert.deepEqual(answers, []);
  pass(200);
  assert.deepEqual(answers, ['a: store-away']);
});
