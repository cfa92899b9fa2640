import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../control/test-control.ts';
import { type Clock, systemClock } from '../../time/clock.ts';
import { createSharedAnswers } from './shared-answers.ts';

type Begun = { name: string; signal: AbortSignal; answer: PromiseWithResolvers<string> };

/** Work that ends when the test says so. */
function createTestWork(forMs: number | 'underWay' = 'underWay', clock: Clock = systemClock) {
  const shared = createSharedAnswers<string>({ clock, forMs });
  const begun: Begun[] = [];
  const ask = (key: string, name: string, signal?: AbortSignal) => {
    const work = (untilGone: AbortSignal) => {
      const answer = Promise.withResolvers<string>();
      begun.push({ name, signal: untilGone, answer });
      return answer.promise;
    };
    return shared.get(key, signal) ?? shared.begin(key, work, signal);
  };
  return { begun, ask, names: () => begun.map(({ name }) => name) };
}

test('does what is asked for under one key once while it is under way, and anew after it', async () => {
  const { begun, ask, names } = createTestWork();
  const all = [ask('k', 'first'), ask('k', 'second'), ask('other', 'third')];
  assert.deepEqual(names(), ['first', 'third']);
  begun[0]!.answer.resolve('FIRST');
  begun[1]!.answer.reject(new Error('broken on purpose'));
  assert.deepEqual(await Promise.all(all.slice(0, 2)), ['FIRST', 'FIRST']);
  await assert.rejects(all[2]!, /on purpose/);
  const next = ask('k', 'fourth');
  begun[2]!.answer.resolve('FOURTH');
  assert.equal(await next, 'FOURTH');
});

test('lets go who goes, and answers the others', async () => {
  const { begun, ask } = createTestWork();
  const gone = new AbortController();
  const [goes, stays] = [ask('k', 'a', gone.signal), ask('k', 'b', new AbortController().signal)];
  gone.abort(new Error('gone'));
  await assert.rejects(goes, /^Error: gone$/);
  assert.equal(begun[0]!.signal.aborted, false);
  begun[0]!.answer.resolve('A');
  assert.equal(await stays, 'A');
});

test('gives the work up when nobody is left, and begins anew for who comes then', async () => {
  const { begun, ask, names } = createTestWork();
  const [one, two] = [new AbortController(), new AbortController()];
  const both = [ask('k', 'a', one.signal), ask('k', 'b', two.signal)];
  one.abort(new Error('gone'));
  assert.equal(begun[0]!.signal.aborted, false);
  two.abort(new Error('gone'));
  assert.equal(begun[0]!.signal.aborted, true);
  for (const asked of both) await assert.rejects(asked, /^Error: gone$/);
  const comes = ask('k', 'c', new AbortController().signal);
  assert.deepEqual(names(), ['a', 'c']);
  // The end of what was given up does not end what began after it.
  begun[0]!.answer.reject(new Error('given up'));
  await new Promise(setImmediate);
  const joins = ask('k', 'd');
  assert.deepEqual(names(), ['a', 'c']);
  begun[1]!.answer.resolve('C');
  assert.deepEqual(await Promise.all([comes, joins]), ['C', 'C']);
});

test('does not give the work up while somebody waits who never goes', async () => {
  const { begun, ask } = createTestWork();
  const gone = new AbortController();
  const leaves = ask('k', 'a', gone.signal);
  const stays = ask('k', 'b');
  gone.abort(new Error('gone'));
  await assert.rejects(leaves, /^Error: gone$/);
  assert.equal(begun[0]!.signal.aborted, false);
  begun[0]!.answer.resolve('A');
  assert.equal(await stays, 'A');
});

test('begins nothing for who has gone before', async () => {
  const { ask, names } = createTestWork();
  await assert.rejects(ask('k', 'a', AbortSignal.abort(new Error('gone'))), /^Error: gone$/);
  assert.deepEqual(names(), []);
});

test('for a while, joins what has begun whether or not it has ended, but not what has failed', async () => {
  const clock = createFakeClock('2026-06-01T12:00:00Z');
  const { begun, ask, names } = createTestWork(500, clock);
  const first = ask('k', 'a');
  begun[0]!.answer.resolve('A');
  assert.deepEqual(await Promise.all([first, ask('k', 'b')]), ['A', 'A']);
  clock.pass(500);
  const second = ask('k', 'c');
  assert.deepEqual(names(), ['a', 'c']);
  begun[1]!.answer.reject(new Error('broken on purpose'));
  await assert.rejects(second, /on purpose/);
  const third = ask('k', 'd');
  assert.deepEqual(names(), ['a', 'c', 'd']);
  begun[2]!.answer.resolve('D');
  assert.equal(await third, 'D');
});

test('shares nothing when that is for no time', async () => {
  const { begun, ask, names } = createTestWork(0);
  const both = [ask('k', 'a'), ask('k', 'b')];
  assert.deepEqual(names(), ['a', 'b']);
  for (const { answer, name } of begun) answer.resolve(name);
  assert.deepEqual(await Promise.all(both), ['a', 'b']);
});
