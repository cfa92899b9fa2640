import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pageView } from '../../test/support/records.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createFakeClock, makeFolder } from '../control/test-control.ts';
import type { Health } from '../http/server/health.ts';
import { startTestHttp } from '../http/test-http.ts';
import { createMetrics } from './create-metrics.ts';
import { readHealth } from './read-health.ts';

const loader = {
  loadedRows: 0,
  insertedBatches: 0,
  unverifiedBatches: 0,
  lagMs: 0,
  lastError: undefined,
  storeUuid: 'u',
  damagedBytes: 0,
  waitingBytes: 0,
  toCompareBatches: 0,
  toLoadAgain: { batches: 0, records: 0 },
};
const engine = { state: 'ready' as const, restarts: 0, brokenParts: 0, sinceMs: 0 };

/**
 * Occupies every thread that Node writes files with, as a disk that doesn't answer would: each one waits for
 * someone to write into a pipe. Writes begin when the threads are released.
 */
async function holdDisk(t: TestContext): Promise<() => Promise<void>> {
  const pipe = join(await makeFolder(t), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  const held = Array.from({ length: threads }, () => open(pipe, 'r'));
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    // Opening it for writing only would need a thread that is already reading.
    const writer = openSync(pipe, 'r+');
    for (const file of await Promise.all(held)) await file.close();
    closeSync(writer);
  };
  return release;
}

/**
 * Lets time pass for the code that measures how long the disk takes. By itself it passes slowly, so that a busy
 * machine isn't taken for a disk that doesn't answer.
 */
function holdTime(t: TestContext) {
  const { now } = performance;
  const sinceMs = now.call(performance);
  let aheadMs = 0;
  t.mock.method(performance, 'now', () => sinceMs + (now.call(performance) - sinceMs) / 100 + aheadMs);
  return (ms: number) => {
    aheadMs += ms;
  };
}

test('a disk that does not answer appears in health and metrics, and later records are refused', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const health = (): Health =>
    readHealth({
      journal: http.journal,
      loader,
      engine,
      isStoreAway: false,
      isControlFailing: false,
      damage: [],
    });
  const http = await startTestHttp(t, { clock, health });
  const metrics = createMetrics({
    counts: http.counts,
    outcomes: () => new Map(),
    idempotencyIndex: { size: () => 0 },
    journal: http.journal,
    loader: () => loader,
    engine: () => ({ restarts: 0, isReady: true, rssBytes: undefined }),
    damage: () => [],
    checked: () => ({ parts: 0, journalBytes: 0, rounds: 0 }),
    live: () => ({ streams: 0, questions: 0 }),
    now: () => clock.now(),
  });
  t.after(() => metrics.stop());
  const { apiKey } = await http.control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: 100 });
  const send = () =>
    fetch(`${http.origin}/api/page-view`, {
      method: 'POST',
      headers: { Authorization: apiKey },
      body: JSON.stringify(pageView()),
    });
  await waitFor('the key to be known', async () => (await send()).status === 200);
  const ask = async () => {
    const response = await fetch(`${http.origin}/health`);
    const body = (await response.json()) as {
      degraded: { part: string; why: string }[];
      journal: { oldestUnansweredSeconds: number };
    };
    return { status: response.status, ...body };
  };
  const metric = async () =>
    Number(
      /^trackside_journal_oldest_unanswered_seconds (\S+)$/m.exec(await metrics.registry.metrics())?.[1],
    );
  assert.deepEqual([(await ask()).status, (await ask()).journal.oldestUnansweredSeconds], [200, 0]);
  assert.equal(await metric(), 0);

  const pass = holdTime(t);
  const release = await holdDisk(t);
  const waiting = send();
  try {
    await waitFor('the record to wait', () => http.journal.oldestUnansweredMs() > 0);
    assert.equal((await ask()).status, 200, 'a moment is no fault');
    pass(6_500);
    const stalled = await ask();
    assert.equal(stalled.status, 503);
    assert.match(stalled.degraded[0]!.why, /^the disk has not responded for \d+ s/);
    assert.ok(stalled.journal.oldestUnansweredSeconds > 6);
    assert.ok((await metric()) > 6);

    pass(6_000);
    // Those that come before the disk is given up wait for it.
    const refusals: (string | null)[] = [];
    await waitFor('later records to be refused', () => {
      void send().then(
        ({ status, headers }) => status === 503 && refusals.push(headers.get('Retry-After')),
        () => {},
      );
      return refusals.includes('5');
    });
    assert.ok(http.counts.refused.get('journal-stalled')! > 0);
  } finally {
    // This must happen before the server closes, because the server waits for its disk.
    await release();
  }

  assert.equal((await waiting).status, 200, 'who waited gets the truth');
  await waitFor('records to be accepted again', async () => (await send()).status === 200);
  const after = await ask();
  assert.deepEqual([after.status, after.degraded, after.journal.oldestUnansweredSeconds], [200, [], 0]);
});
