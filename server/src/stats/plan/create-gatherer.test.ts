import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGatherer } from './create-gatherer.ts';

type Asked = { items: readonly string[]; signal: AbortSignal; answer: PromiseWithResolvers<string[]> };

/** A gatherer whose answers come when the test gives them; `begun` resolves with the next group. */
function createTestGatherer() {
  const gather = createGatherer<string, string>();
  let begun = Promise.withResolvers<Asked>();
  const answerAll = (items: readonly string[], signal: AbortSignal) => {
    const answer = Promise.withResolvers<string[]>();
    begun.resolve({ items, signal, answer });
    begun = Promise.withResolvers<Asked>();
    return answer.promise;
  };
  return {
    begun: () => begun.promise,
    ask: (key: string, item: string, signal?: AbortSignal) => gather(key, item, answerAll, signal),
  };
}

test('answers what is asked in one moment together, each by its own key', async () => {
  const { ask, begun } = createTestGatherer();
  const first = begun();
  const all = [ask('k', 'a'), ask('k', 'b')];
  const { items, answer } = await first;
  assert.deepEqual(items, ['a', 'b']);
  answer.resolve(['A', 'B']);
  assert.deepEqual(await Promise.all(all), ['A', 'B']);
  const second = begun();
  const other = ask('other', 'c');
  (await second).answer.reject(new Error('broken on purpose'));
  await assert.rejects(other, /on purpose/);
});

test('lets go who goes, and answers the others', async () => {
  const { ask, begun } = createTestGatherer();
  const group = begun();
  const [early, late] = [new AbortController(), new AbortController()];
  const [goesEarly, goesLate, stays] = [
    ask('k', 'early', early.signal),
    ask('k', 'late', late.signal),
    ask('k', 'stays', new AbortController().signal),
  ];
  early.abort(new Error('early'));
  await assert.rejects(goesEarly, /^Error: early$/);
  const { items, signal, answer } = await group;
  assert.deepEqual(items, ['late', 'stays']);
  late.abort(new Error('late'));
  await assert.rejects(goesLate, /^Error: late$/);
  assert.equal(signal.aborted, false);
  answer.resolve(['LATE', 'STAYS']);
  assert.equal(await stays, 'STAYS');
});

test('gives the work up when nobody is left', async () => {
  const { ask, begun } = createTestGatherer();
  const group = begun();
  const [one, two] = [new AbortController(), new AbortController()];
  const both = [ask('k', 'a', one.signal), ask('k', 'b', two.signal)];
  const { signal } = await group;
  one.abort(new Error('gone'));
  assert.equal(signal.aborted, false);
  two.abort(new Error('gone'));
  assert.equal(signal.aborted, true);
  for (const asked of both) await assert.rejects(asked, /^Error: gone$/);
});

test('does not give the work up while somebody waits who never goes', async () => {
  const { ask, begun } = createTestGatherer();
  const group = begun();
  const gone = new AbortController();
  const leaves = ask('k', 'a', gone.signal);
  const stays = ask('k', 'b');
  const { signal, answer } = await group;
  gone.abort(new Error('gone'));
  await assert.rejects(leaves, /^Error: gone$/);
  assert.equal(signal.aborted, false);
  answer.resolve(['A', 'B']);
  assert.equal(await stays, 'B');
});

test('asks for nobody when all have gone before, and begins anew for who comes then', async () => {
  const { ask, begun } = createTestGatherer();
  const group = begun();
  const gone = new AbortController();
  const leaves = ask('k', 'a', gone.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(leaves, /^Error: gone$/);
  await assert.rejects(ask('k', 'b', gone.signal), /^Error: gone$/);
  const comes = ask('k', 'c', new AbortController().signal);
  const { items, signal, answer } = await group;
  assert.deepEqual([items, signal.aborted], [['c'], false]);
  answer.resolve(['C']);
  assert.equal(await comes, 'C');
});
