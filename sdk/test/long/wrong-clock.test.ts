import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFaultTeller } from '../../src/faults/fault-teller.ts';
import type { TrackFault } from '../../src/faults/track-fault.ts';
import { RecordQueue } from '../../src/queue/record-queue.ts';
import { makeMetrics } from '../../src/record/test-metrics.ts';
import { createAttempts } from '../../src/sending/create-attempts.ts';
import { createHttpExchange } from '../../src/sending/exchange-by-http.ts';
import { sendBatch } from '../../src/sending/send-batch.ts';
import { sendRecord } from '../../src/sending/send-record.ts';
import { systemClock } from '../../src/time/clock.ts';
import { runTrackside } from '../run-trackside.ts';

const minuteMs = 60_000;

test('a program whose clock is wrong loses no record, and is told so', async (t) => {
  const { origin, keys } = await runTrackside(t, { 'shop.test': null });
  const destination = {
    url: origin,
    apiKey: keys['shop.test'],
    timeoutMs: 60_000,
    exchange: createHttpExchange(),
  };
  const body = JSON.stringify({ Metrics: makeMetrics('https://shop.test/') });
  let number = 0;
  const makeOne = () => {
    number += 1;
    const key = crypto.randomUUID();
    return { key, path: '/api/page-view' as const, body, sequence: `0123456789abcdef.${number}` };
  };
  let isAway = true;
  let waitedMs = 0;
  // Ten minutes ahead of the server, and a minute passes while the server is away.
  const clock = {
    ...systemClock,
    now: () => Date.now() + 10 * minuteMs + waitedMs,
    monotonicMs: () => systemClock.monotonicMs() + waitedMs,
  };
  const away = {
    result: { kind: 'unavailable', code: 0, message: 'No' },
    isTransient: true,
    isUncertain: false,
  } as const;
  const faults: TrackFault[] = [];
  const counts = { accepted: 0, refused: 0, dropped: 0, retried: 0 };
  const queue = new RecordQueue({
    clock,
    counts,
    teller: createFaultTeller((fault) => faults.push(fault), clock),
    timeoutMs: 60_000,
    maxRecords: 100,
    maxBytes: 2 ** 20,
    maxAgeMs: 60 * minuteMs,
    concurrency: 1,
    disk: undefined,
    send: async (record, signal) => (isAway ? away : sendRecord(destination, record, clock, signal)),
    sendBatch: async (records, signal) =>
      isAway ? records.map(() => away) : sendBatch(destination, records, clock, signal),
  });
  for (let count = 0; count < 20; count += 1) queue.push(makeOne(), undefined);
  await queue.flush(50);
  isAway = false;
  waitedMs = minuteMs;
  assert.deepEqual(await queue.close(30_000), { remaining: 0 });
  assert.deepEqual([counts.accepted, counts.refused, counts.dropped], [20, 0, 0]);
  const fault = faults.find(({ kind }) => kind === 'time-refused');
  assert.match(fault?.message ?? '', /\(OccurredAt: .* ahead of .*\): check this machine's clock/);

  waitedMs = 0;
  const attempt = createAttempts(destination, makeOne(), clock);
  waitedMs = minuteMs;
  assert.equal((await attempt()).result.kind, 'accepted');
});
