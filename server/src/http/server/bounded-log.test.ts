import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { createBoundedLog } from './bounded-log.ts';
import { createRequestIds } from './request-ids.ts';

type LogLine = {
  level: number;
  part?: string;
  reason?: string;
  message?: string;
  lines?: number;
  msg: string;
};

function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lines: LogLine[] = [];
  const log = createBoundedLog(
    pino({ level: 'info', base: {} }, { write: (line: string) => lines.push(JSON.parse(line)) }),
  );
  return { lines, log };
}

test('logs at most 10 lines a second for each reason, and then how many it left out', (t) => {
  const { lines, log } = open(t);
  const flood = (reason: string, count: number) => {
    for (let index = 0; index < count; index += 1) log.info({ reason, website: 7 }, `wrong ${index}`);
  };
  flood('malformed', 1000);
  flood('unauthorized', 3);
  assert.equal(lines.filter(({ reason }) => reason === 'malformed').length, 10);
  assert.equal(lines.filter(({ reason }) => reason === 'unauthorized').length, 3);
  assert.equal(lines[0]?.msg, 'wrong 0');
  t.mock.timers.tick(1000);
  assert.equal(lines.length, 14);
  assert.deepEqual([lines.at(-1)?.reason, lines.at(-1)?.lines], ['malformed', 990]);
  flood('malformed', 1);
  assert.equal(lines.length, 15);
  log.stop();
  t.mock.timers.tick(10_000);
  assert.equal(lines.length, 15);
});

test('counts a line without a reason by its message and level, whichever part writes it', (t) => {
  const { lines, log } = open(t);
  const app = log.child({ part: 'app' });
  for (let index = 0; index < 100; index += 1) {
    app.error({ err: new Error(`fault ${index}`) }, 'a request failed');
    app.warn('something odd');
  }
  assert.deepEqual(
    [50, 40].map((level) => lines.filter((line) => line.level === level && line.part === 'app').length),
    [10, 10],
  );
  t.mock.timers.tick(1000);
  assert.deepEqual(
    lines.slice(20).map(({ level, part, message, lines: left }) => [level, part, message, left]),
    [
      [50, 'app', 'a request failed', 90],
      [40, 'app', 'something odd', 90],
    ],
  );
  log.stop();
});

test('never gives two requests the same name, in one process or in two', () => {
  const [one, other] = [createRequestIds(), createRequestIds()];
  const ids = Array.from({ length: 1000 }, () => [one(), other()]).flat();
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[\w-]+$/);
});
