import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitConcurrency } from './limit-concurrency.ts';

/** Work that is counted, and that ends when it is told to. */
function createWork() {
  const started: { name: string; end: () => void; fail: (error: Error) => void }[] = [];
  const work = (name: string) => () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    started.push({ name, end: () => resolve(name), fail: reject });
    return promise;
  };
  return { started, work, names: () => started.map(({ name }) => name).join('') };
}

test('runs as much at once as there are places, and the rest in order of arrival', async () => {
  const line = limitConcurrency({ places: 2, maxWaiting: 9 });
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

test('lets the next one in when work fails, and nobody jumps the line', async () => {
  const line = limitConcurrency({ places: 1, maxWaiting: 9 });
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

test('refuses work that there is no room for, and forgets it', async () => {
  const line = limitConcurrency({ places: 1, maxWaiting: 1 });
  const { started, work, names } = createWork();
  const kept = [line(work('a')), line(work('b'))];
  assert.ok(line.isFull());
  await assert.rejects(line(work('c')), { name: 'LineFull' });
  started[0]!.end();
  await kept[0];
  assert.ok(!line.isFull());
  started[1]!.end();
  await kept[1];
  assert.equal(names(), 'ab');
});

test('uses its caller’s words to say that there is no room', async () => {
  const line = limitConcurrency({
    places: 0,
    maxWaiting: 0,
    whenFull: () => new RangeError('come back later'),
  });
  await assert.rejects(
    line(async () => 'in'),
    /^RangeError: come back later$/,
  );
});

test('work that nobody waits for anymore leaves the line', async () => {
  const line = limitConcurrency({ places: 1, maxWaiting: 1 });
  const { started, work, names } = createWork();
  const gone = new AbortController();
  const first = line(work('a'));
  const left = line(work('b'), { signal: gone.signal });
  gone.abort(new Error('gone'));
  await assert.rejects(left, /^Error: gone$/);
  const next = line(work('c'), { signal: new AbortController().signal });
  started[0]!.end();
  await first;
  started[1]!.end();
  assert.equal(await next, 'c');
  assert.equal(names(), 'ac');
  await assert.rejects(line(work('d'), { signal: gone.signal }), /^Error: gone$/);
  assert.ok(!line.isFull());
});

test('owners take turns, within their own limits and that of their group', async () => {
  const groups = { guests: { places: 1, maxWaiting: 2 } };
  const line = limitConcurrency({ places: 2, maxWaiting: 9, groups });
  const { started, work, names } = createWork();
  const limit = { places: 2, maxWaiting: 2 };
  const guest = (key: string, name: string) => line(work(name), { owner: { key, limit, group: 'guests' } });
  const host = (name: string) => line(work(name), { owner: { key: 'host', limit } });
  const all = [guest('g', 'a'), guest('g', 'b'), guest('h', 'c'), host('x'), host('y'), host('z')];
  assert.equal(names(), 'ax', 'the second guest waits for the first');
  await assert.rejects(guest('i', 'd'), { name: 'LineFull' });
  await assert.rejects(host('w'), { name: 'LineFull' });
  for (let ended = 0; ended < all.length; ended += 1) {
    started[ended]!.end();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  assert.equal(names(), 'axbycz');
});

test('closing refuses waiting and later work, and waits for running work', async () => {
  const line = limitConcurrency({ places: 1, maxWaiting: 9 });
  const { started, work } = createWork();
  const running = line(work('a'));
  const waiting = line(work('b'));
  let isClosed = false;
  const closed = line.close(new Error('closed')).then(() => {
    isClosed = true;
  });
  await assert.rejects(waiting, /^Error: closed$/);
  await assert.rejects(line(work('c')), /^Error: closed$/);
  assert.equal(isClosed, false);
  started[0]!.end();
  assert.equal(await running, 'a');
  await closed;
  assert.equal(started.length, 1);
});

test('work that had a place before waits for its next one, however many others wait', async () => {
  const run = limitConcurrency({ places: 1, maxWaiting: 0 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = run(() => promise);
  await assert.rejects(run(async () => 'new'));
  const next = run(async () => 'next', { isContinued: true });
  resolve('first');
  assert.deepEqual(await Promise.all([first, next]), ['first', 'next']);
});
