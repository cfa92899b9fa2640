import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt } from '../faults/result.ts';
import { createTestClock } from '../time/test-clock.ts';
import { sendWithRetries } from './send-with-retries.ts';

const away = (retryAfterMs?: number): Attempt => ({
  result: {
    kind: 'unavailable',
    code: 503,
    message: '',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  },
  isTransient: true,
  isUncertain: true,
});
const final = (result: Attempt['result']): Attempt => ({ result, isTransient: false, isUncertain: false });
const accepted = final({ kind: 'accepted', code: 200, message: 'Success' });

/** Returns when attempts were made, and how it ended. */
async function run(attempts: Attempt[], { retries = 3, random = 1 } = {}) {
  const clock = createTestClock({ random });
  const startMs = clock.monotonicMs();
  const sentAtMs: number[] = [];
  const send = async () => {
    sentAtMs.push(clock.monotonicMs() - startMs);
    return attempts[sentAtMs.length - 1]!;
  };
  let retried = 0;
  const onRetry = () => {
    retried += 1;
  };
  const done = sendWithRetries(send, { retries, clock, onRetry });
  await clock.advance(600_000);
  return { attempt: await done, sentAtMs, retried };
}

test('tries again after a pause that doubles', async () => {
  const { attempt, sentAtMs, retried } = await run([away(), away(), away(), accepted]);
  assert.equal(attempt.result.kind, 'accepted');
  assert.deepEqual(sentAtMs, [0, 250, 750, 1750]);
  assert.equal(retried, 3);
});

test('takes a random part of the pause', async () => {
  assert.deepEqual((await run([away(), away(), accepted], { random: 0.5 })).sentAtMs, [0, 125, 375]);
});

test('returns the last answer when no attempt is left', async () => {
  const { attempt, sentAtMs } = await run([away(), away(), away(), away()]);
  assert.equal(attempt.result.kind, 'unavailable');
  assert.equal(sentAtMs.length, 4);
});

test('waits as long as the server asks, unless that is too long for a waiting program', async () => {
  assert.deepEqual((await run([away(20_000), accepted])).sentAtMs, [0, 20_250]);
  const { attempt, sentAtMs } = await run([away(31_000), accepted]);
  assert.partialDeepStrictEqual(attempt.result, { kind: 'unavailable', retryAfterMs: 31_000 });
  assert.deepEqual(sentAtMs, [0]);
});

test('does not repeat what another attempt would not change', async () => {
  for (const kind of ['malformed', 'unauthorized', 'contingent-used-up'] as const) {
    const { sentAtMs } = await run([final({ kind, code: 400, message: '', retryAfterMs: 0 } as never)]);
    assert.deepEqual(sentAtMs, [0]);
  }
});
