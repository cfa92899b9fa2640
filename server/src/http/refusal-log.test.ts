import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createRefusalLog } from './refusal-log.ts';
import { createRequestIds } from './request-ids.ts';

type Line = { reason: string; requestId?: string; website?: number; lines?: number; msg: string };

test('logs at most 10 lines a second for each reason, and then how many it left out', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lines: Line[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const refusals = createRefusalLog(log);
  const flood = (reason: 'malformed' | 'unauthorized', count: number) => {
    for (let index = 0; index < count; index += 1)
      refusals.note({ reason, requestId: `r-${index}`, website: 7, message: 'wrong' });
  };
  flood('malformed', 1000);
  flood('unauthorized', 3);
  assert.equal(lines.filter(({ reason }) => reason === 'malformed').length, 10);
  assert.equal(lines.filter(({ reason }) => reason === 'unauthorized').length, 3);
  const { reason, requestId, website, msg } = lines[0]!;
  assert.deepEqual(
    { reason, requestId, website, msg },
    {
      ...{ reason: 'malformed', requestId: 'r-0', website: 7, msg: 'wrong' },
    },
  );
  t.mock.timers.tick(1000);
  assert.equal(lines.length, 14);
  assert.equal(lines.at(-1)?.lines, 990);
  flood('malformed', 1);
  assert.equal(lines.length, 15);
  refusals.stop();
  t.mock.timers.tick(10_000);
  assert.equal(lines.length, 15);
});

test('names no two requests alike, in one process or in two', () => {
  const [one, other] = [createRequestIds(), createRequestIds()];
  const ids = Array.from({ length: 1000 }, () => [one(), other()]).flat();
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[\w-]+$/);
});
