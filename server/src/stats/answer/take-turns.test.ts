import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './take-turns.ts';

test('runs so many at a time for each owner, in the order in which they came', async () => {
  const takeTurns = createTurns({ atOnce: 2, maxWaiting: 64 });
  const started: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const work = (owner: number, name: string) =>
    takeTurns(owner, async () => {
      started.push(name);
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      await gate.promise;
      return name;
    });
  const all = [work(1, 'a'), work(1, 'b'), work(1, 'c'), work(1, 'd'), work(2, 'x')];
  await new Promise(setImmediate);
  assert.deepEqual(started, ['a', 'b', 'x']);
  gates.get('b')!.reject(new Error('broken on purpose'));
  await assert.rejects(all[1]!, /on purpose/);
  await new Promise(setImmediate);
  assert.deepEqual(started, ['a', 'b', 'x', 'c']);
  for (const name of ['a', 'c', 'x']) gates.get(name)!.resolve();
  await new Promise(setImmediate);
  gates.get('d')!.resolve();
  assert.deepEqual(await Promise.all([all[0], all[2], all[3], all[4]]), ['a', 'c', 'd', 'x']);
  const again = work(1, 'e');
  gates.get('e')!.resolve();
  assert.equal(await again, 'e');
});

/** Work that runs until it is told to end. */
function createWork() {
  const started: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  return {
    started,
    end: (name: string) => gates.get(name)!.resolve(),
    of: (name: string) => async () => {
      started.push(name);
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      await gate.promise;
      return name;
    },
  };
}

test('whoever goes leaves the line, and those behind move up', async () => {
  const takeTurns = createTurns({ atOnce: 1, maxWaiting: 64 });
  const work = createWork();
  const gone = new AbortController();
  const first = takeTurns(1, work.of('first'));
  const left = [takeTurns(1, work.of('left'), gone.signal), takeTurns(1, work.of('too'), gone.signal)];
  const last = takeTurns(1, work.of('last'), new AbortController().signal);
  gone.abort(new Error('gone'));
  for (const one of left) await assert.rejects(one, /^Error: gone$/);
  work.end('first');
  assert.equal(await first, 'first');
  await new Promise(setImmediate);
  assert.deepEqual(work.started, ['first', 'last']);
  work.end('last');
  assert.equal(await last, 'last');
});

test('whoever goes when it is their turn passes it on', async () => {
  const takeTurns = createTurns({ atOnce: 1, maxWaiting: 64 });
  const gone = new AbortController();
  const first = takeTurns(1, async () => {
    // Runs between the end of this work and the beginning of the next.
    queueMicrotask(() => queueMicrotask(() => gone.abort(new Error('gone'))));
  });
  const left = takeTurns(1, async () => 'left', gone.signal);
  const last = takeTurns(1, async () => 'last');
  await first;
  await assert.rejects(left, /^Error: gone$/);
  assert.equal(await last, 'last');
});

test('whoever has gone before takes no place', async () => {
  const takeTurns = createTurns({ atOnce: 1, maxWaiting: 0 });
  await assert.rejects(
    takeTurns(1, async () => 'asked', AbortSignal.abort(new Error('gone'))),
    /^Error: gone$/,
  );
  assert.equal(await takeTurns(1, async () => 'next'), 'next');
});

test('refuses who would wait behind too many, and forgets those who left', async () => {
  const takeTurns = createTurns({ atOnce: 1, maxWaiting: 2 });
  const work = createWork();
  const gone = new AbortController();
  const first = takeTurns(1, work.of('first'));
  const waiting = [takeTurns(1, work.of('a'), gone.signal), takeTurns(1, work.of('b'), gone.signal)];
  await assert.rejects(takeTurns(1, work.of('one too many')), {
    name: 'StoreAway',
    message: 'the website has too many questions under way',
  });
  const other = takeTurns(2, async () => 'of another website');
  assert.equal(await other, 'of another website');
  gone.abort(new Error('gone'));
  await Promise.allSettled(waiting);
  const next = takeTurns(1, work.of('next'));
  work.end('first');
  await first;
  await new Promise(setImmediate);
  work.end('next');
  assert.equal(await next, 'next');
  assert.deepEqual(work.started, ['first', 'next']);
});
