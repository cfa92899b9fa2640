import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createConnection } from './create-connection.ts';

test('reports once that it is lost, retries until it is back, and reports that', async () => {
  const answers = [false, false, true];
  const waits: number[] = [];
  const told: boolean[] = [];
  const connection = createConnection({
    ping: async () => answers.shift() ?? false,
    wait: async (ms) => void waits.push(ms),
  });
  connection.listen((isLost) => told.push(isLost));
  connection.report(true);
  connection.report(false);
  connection.report(false);
  while (connection.isLost()) await setImmediate();
  assert.deepEqual(told, [true, false]);
  assert.equal(waits.length, 3);
  assert.ok(waits[0]! < waits[1]! && waits[1]! < waits[2]!, 'expected to wait longer each time');
});

test('a successful request ends the loss without a ping', async () => {
  const told: boolean[] = [];
  const gate = Promise.withResolvers<void>();
  const connection = createConnection({ ping: async () => false, wait: () => gate.promise });
  connection.listen((isLost) => told.push(isLost));
  connection.report(false);
  connection.report(true);
  gate.resolve();
  await setImmediate();
  assert.deepEqual(told, [true, false]);
});
