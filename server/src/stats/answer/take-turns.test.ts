import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './take-turns.ts';

test('runs so many at a time for each owner, in the order in which they came', async () => {
  const takeTurns = createTurns(2);
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
