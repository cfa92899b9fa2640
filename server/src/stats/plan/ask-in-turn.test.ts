import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AskedBy,
  type Asker,
  createAskInTurn,
  createTurns as createTurnsOf,
  type TurnLimits,
} from './ask-in-turn.ts';

const user = (websiteId: number): Asker => ({ websiteId, by: 'user' });
const many: TurnLimits = { all: 100, byLinks: 100, ofOne: 100, ofLink: 100 };
const createTurns = ({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) =>
  createTurnsOf({ running: { ...many, ofOne: atOnce }, waiting: { ...many, ofOne: maxWaiting } });

test('limits how many run at a time for each owner, in order of arrival', async () => {
  const takeTurns = createTurns({ atOnce: 2, maxWaiting: 64 });
  const started: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const work = (owner: number, name: string) =>
    takeTurns(user(owner), async () => {
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
  await new Promise(setImmediate);
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

test('someone who leaves also leaves the line, and those behind move up', async () => {
  const takeTurns = createTurns({ atOnce: 1, maxWaiting: 64 });
  const work = createWork();
  const gone = new AbortController();
  const first = takeTurns(user(1), work.of('first'));
  const left = [
    takeTurns(user(1), work.of('left'), gone.signal),
    takeTurns(user(1), work.of('too'), gone.signal),
  ];
  const last = takeTurns(user(1), work.of('last'), new AbortController().signal);
  gone.abort(new Error('gone'));
  for (const one of left) await assert.rejects(one, /^Error: gone$/);
  work.end('first');
  assert.equal(await first, 'first');
  await new Promise(setImmediate);
  assert.deepEqual(work.started, ['first', 'last']);
  work.end('last');
  assert.equal(await last, 'last');
});

test('someone who leaves when it is their turn passes it on', async () => {
  const takeTurns = createTurns({ atOnce: 1, maxWaiting: 64 });
  const gone = new AbortController();
  const first = takeTurns(user(1), async () => {
    // Runs between the end of this work and the beginning of the next.
    queueMicrotask(() => queueMicrotask(() => gone.abort(new Error('gone'))));
  });
  const left = takeTurns(user(1), async () => 'left', gone.signal);
  const last = takeTurns(user(1), async () => 'last');
  await first;
  await assert.rejects(left, /^Error: gone$/);
  assert.equal(await last, 'last');
});

test('someone who left before takes no place', async () => {
  const takeTurns = createTurns({ atOnce: 1, maxWaiting: 0 });
  await assert.rejects(
    takeTurns(user(1), async () => 'asked', AbortSignal.abort(new Error('gone'))),
    /^Error: gone$/,
  );
  assert.equal(await takeTurns(user(1), async () => 'next'), 'next');
});

test('refuses those who would wait behind too many, and forgets those who left', async () => {
  const takeTurns = createTurns({ atOnce: 1, maxWaiting: 2 });
  const work = createWork();
  const gone = new AbortController();
  const first = takeTurns(user(1), work.of('first'));
  const waiting = [
    takeTurns(user(1), work.of('a'), gone.signal),
    takeTurns(user(1), work.of('b'), gone.signal),
  ];
  await assert.rejects(takeTurns(user(1), work.of('one too many')), {
    name: 'StoreAway',
    message: 'this website has too many questions in progress',
  });
  const other = takeTurns(user(2), async () => 'of another website');
  assert.equal(await other, 'of another website');
  gone.abort(new Error('gone'));
  await Promise.allSettled(waiting);
  const next = takeTurns(user(1), work.of('next'));
  work.end('first');
  await first;
  await new Promise(setImmediate);
  work.end('next');
  assert.equal(await next, 'next');
  assert.deepEqual(work.started, ['first', 'next']);
});

/** Ends the running work one by one, the oldest first, and returns the order in which all of it began. */
async function orderOf(limits: TurnLimits, asked: [by: AskedBy, websiteId: number, name: string][]) {
  const takeTurns = createTurnsOf({ running: limits, waiting: many });
  const work = createWork();
  const all = asked.map(([by, websiteId, name]) => takeTurns({ by, websiteId }, work.of(name)));
  await new Promise(setImmediate);
  const first = [...work.started];
  for (let ended = 0; ended < asked.length; ended += 1) {
    work.end(work.started[ended]!);
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  return { first, order: work.started };
}

test('nobody waits for more than one turn of each other owner', async () => {
  const limits = { all: 1, byLinks: 1, ofOne: 1, ofLink: 1 };
  const flood = ['a', 'b', 'c', 'd'].map((name): [AskedBy, number, string] => ['link', 1, name]);
  const { order } = await orderOf(limits, [
    ...flood,
    ['user', 1, 'owner'],
    ['user', 2, 'x'],
    ['user', 2, 'y'],
  ]);
  assert.deepEqual(order, ['a', 'b', 'owner', 'x', 'c', 'y', 'd']);
});

test('neither one asker nor all links together hold all places', async () => {
  const limits = { all: 4, byLinks: 2, ofOne: 2, ofLink: 1 };
  const { first } = await orderOf(limits, [
    ...[1, 2, 3].flatMap((id): [AskedBy, number, string][] => [
      ['link', id, `link ${id}`],
      ['link', id, `link ${id} again`],
    ]),
    ...['a', 'b', 'c'].map((name): [AskedBy, number, string] => ['user', 4, name]),
  ]);
  assert.deepEqual(first, ['link 1', 'link 2', 'a', 'b']);
});

test('when links have filled their share of the line, users still find room in it', async () => {
  const waiting = { all: 4, byLinks: 2, ofOne: 2, ofLink: 2 };
  const takeTurns = createTurnsOf({ running: { ...many, all: 0 }, waiting });
  const gone = new AbortController();
  const ask = (by: AskedBy, websiteId: number) => takeTurns({ by, websiteId }, async () => {}, gone.signal);
  const waits = [ask('link', 1), ask('link', 2)];
  await assert.rejects(ask('link', 3), { name: 'StoreAway' });
  waits.push(ask('user', 3), ask('user', 4));
  await assert.rejects(ask('user', 5), { name: 'StoreAway' });
  gone.abort(new Error('gone'));
  for (const one of waits) await assert.rejects(one, /^Error: gone$/);
});

/** A store whose longer statements run until they are told to end. */
function createSlowStore() {
  const end = Promise.withResolvers<void>();
  const inner = {
    websiteId: 1,
    query: async ({ isQuick = false }: { isQuick?: boolean }) => {
      if (!isQuick) await end.promise;
      return [];
    },
    withSignal: () => inner,
  };
  return { store: { ofWebsite: () => inner } as never, end: () => end.resolve() };
}

test('a full line refuses those who only had a quick statement, and lets those go on who had a longer one', async () => {
  const { store, end } = createSlowStore();
  const askInTurn = createAskInTurn(store);
  const slow = { query: 'slow' };
  const quick = { query: 'quick', isQuick: true };
  const begun = askInTurn(user(1));
  // Two run and 64 wait.
  const line = [begun.query(slow), ...Array.from({ length: 65 }, () => askInTurn(user(1)).query(slow))];
  const late = askInTurn(user(1));
  assert.deepEqual(await late.query(quick), []);
  await assert.rejects(late.query(slow), /too many questions in progress/);
  const next = begun.query(slow);
  end();
  await Promise.all([...line, next]);
  assert.deepEqual(await late.query(slow), []);
});

test('refuses those whose turn comes when what they read may be gone, whatever the signal', async () => {
  const { store, end } = createSlowStore();
  const askInTurn = createAskInTurn(store);
  const slow = { query: 'slow' };
  let isGone = false;
  const holding = [askInTurn(user(1)).query(slow), askInTurn(user(1)).query(slow)];
  const asked = askInTurn(user(1)).unless(() => isGone);
  const { signal } = new AbortController();
  const late = [asked.query(slow), asked.withSignal(signal).query(slow), asked.inTurn(async () => 'read')];
  const next = askInTurn(user(1)).query(slow);
  isGone = true;
  end();
  for (const one of late) await assert.rejects(one, { name: 'StoreAway', fault: 'busy' });
  for (const one of [...holding, next]) assert.deepEqual(await one, []);
});
