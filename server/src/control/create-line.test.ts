import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLine } from './create-line.ts';

/** Work that is counted, and ends when it is told to. */
function createWork() {
  const started: { name: string; end: () => void; fail: (error: Error) => void }[] = [];
  const work = (name: string) => () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    started.push({ name, end: () => resolve(name), fail: reject });
    return promise;
  };
  return { started, work, names: () => started.map(({ name }) => name).join('') };
}

test('runs as many at once as there are places, and the others in the order in which they came', async () => {
  const line = createLine({ places: 2, maxWaiting: 9 });
  const { started, work, names } = createWork();
  const all = ['a', 'b', 'c', 'd'].map((name) => line(work(name)));
  assert.equal(names(), 'ab');
  started[1]!.end();
  assert.equal(await all[1], 'b');
  assert.equal(names(), 'abc');
  started[0]!.end();
  await all[0];
  assert.equal(names(), 'abcd');
  for (const { end } of started) end();
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd']);
});

test('lets the next one in when work fails, and nobody past those who wait', async () => {
  const line = createLine({ places: 1, maxWaiting: 9 });
  const { started, work, names } = createWork();
  const failing = line(work('a'));
  const waiting = line(work('b'));
  started[0]!.fail(new Error('no memory'));
  await assert.rejects(failing, /no memory/);
  const late = line(work('c'));
  assert.equal(names(), 'ab');
  started[1]!.end();
  assert.equal(await waiting, 'b');
  started[2]!.end();
  assert.equal(await late, 'c');
  const again = line(work('d'));
  assert.equal(names(), 'abcd');
  started[3]!.end();
  await again;
});

test('refuses whom there is no room for, and forgets them', async () => {
  const line = createLine({ places: 1, maxWaiting: 1 });
  const { started, work, names } = createWork();
  const kept = [line(work('a')), line(work('b'))];
  assert.ok(line.isFull());
  await assert.rejects(line(work('c')), { name: 'ControlError', reason: 'busy', message: /Try again/ });
  started[0]!.end();
  await kept[0];
  assert.ok(!line.isFull());
  started[1]!.end();
  await kept[1];
  assert.equal(names(), 'ab');
});
