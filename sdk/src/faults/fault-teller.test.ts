import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '../time/test-clock.ts';
import { createFaultTeller } from './fault-teller.ts';
import type { TrackFault } from './track-fault.ts';

function startTeller() {
  const told: TrackFault[] = [];
  const clock = createTestClock();
  const teller = createFaultTeller((fault) => told.push(fault), clock);
  const tell = (message: string, records = 1) => teller.tell({ kind: 'malformed', message, records });
  return {
    told,
    clock,
    teller,
    tell,
    texts: () => told.map(({ message, records }) => `${message} ${records}`),
  };
}

test('reports a fault at once, and the same again after a minute with its count', async () => {
  const { tell, texts, clock } = startTeller();
  tell('a');
  tell('b');
  for (let count = 0; count < 5; count += 1) tell('a');
  assert.deepEqual(texts(), ['a 1', 'b 1']);
  await clock.advance(60_000);
  assert.deepEqual(texts(), ['a 1', 'b 1', 'a 5']);
  tell('a');
  await clock.advance(59_000);
  assert.equal(texts().length, 3);
  await clock.advance(1000);
  assert.deepEqual(texts().at(-1), 'a 1');
});

test('reports the rest when asked to', () => {
  const { tell, teller, texts } = startTeller();
  tell('a');
  tell('a', 3);
  teller.tellRest();
  teller.tellRest();
  assert.deepEqual(texts(), ['a 1', 'a 3']);
});

test('reports once a minute that a clock is wrong, although each message has other seconds', async () => {
  const { teller, told, clock } = startTeller();
  for (let seconds = 0; seconds < 30; seconds += 1)
    teller.tell({ kind: 'time-refused', message: `${seconds} seconds ahead`, records: 1 });
  assert.equal(told.length, 1);
  await clock.advance(60_000);
  assert.deepEqual(
    told.map(({ records }) => records),
    [1, 29],
  );
});

test('groups faults by their kind when there are many texts', () => {
  const { tell, told } = startTeller();
  for (let count = 0; count < 1000; count += 1) tell(`length ${count}`);
  assert.equal(told.length, 51);
});

test('forgets a fault whose minute is over', async () => {
  const { tell, clock, told } = startTeller();
  for (let count = 0; count < 100; count += 1) tell(`length ${count}`);
  await clock.advance(120_000);
  for (let count = 100; count < 110; count += 1) tell(`length ${count}`);
  assert.equal(told.at(-1)?.message, 'length 109');
  assert.equal(told.at(-1)?.records, 1);
});

test('keeps no program alive', () => {
  const { tell, clock } = startTeller();
  tell('a');
  assert.ok(clock.timers().every((timer) => !timer.keepsAlive));
});

test('survives a function that throws, and one that rejects', async () => {
  const clock = createTestClock();
  const fault: TrackFault = { kind: 'malformed', message: '', records: 1 };
  createFaultTeller(() => {
    throw new Error('no log');
  }, clock).tell(fault);
  createFaultTeller(() => Promise.reject(new Error('no log')), clock).tell(fault);
  await clock.advance(1);
});
