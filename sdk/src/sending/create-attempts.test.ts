import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testKey } from '../record/test-metrics.ts';
import { createTestClock } from '../time/test-clock.ts';
import { createAttempts } from './create-attempts.ts';
import type { OutgoingRequest } from './exchange.ts';

type Answer = { code: number; message?: string; outcome?: string } | 'no-connection' | 'no-response';

/** Makes an attempt every ten seconds. Returns what was sent, and how the last attempt ended. */
async function attempt(...answers: Answer[]) {
  const clock = createTestClock();
  const sent: OutgoingRequest[] = [];
  const exchange = async (request: OutgoingRequest) => {
    const answer = answers[sent.length]!;
    sent.push(request);
    if (answer === 'no-connection') throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    if (answer === 'no-response') throw Object.assign(new Error('no'), { code: 'ECONNRESET' });
    const { code, message = 'Said so', outcome } = answer;
    const header = (name: string) => (name === 'trackside-outcome' ? outcome : undefined);
    return { status: code, header, text: JSON.stringify({ Code: code, Message: message }) };
  };
  const destination = { url: 'https://trackside.example', apiKey: testKey, timeoutMs: 1000, exchange };
  const record = { key: 'key', path: '/api/page-view', body: '{"Metrics":{}}', sequence: 's.1' } as const;
  const send = createAttempts(destination, record, clock);
  let last = await send();
  while (sent.length < answers.length) {
    await clock.advance(10_000);
    last = await send();
  }
  return {
    kind: last.result.kind,
    times: sent.map(({ body }) => JSON.parse(body).OccurredAt as string | undefined),
    numbers: new Set(sent.map(({ headers }) => headers['Trackside-Sequence'])),
    attempts: sent.map(({ headers }) => headers['Trackside-Attempt']),
  };
}

const handedOverAt = '2026-01-15T00:00:00.000Z';

test('adds the time to a repeat of what certainly did not arrive', async () => {
  const { times, numbers, kind } = await attempt('no-connection', { code: 503 }, { code: 200 });
  assert.deepEqual([times, kind], [[undefined, handedOverAt, handedOverAt], 'accepted']);
  assert.deepEqual([...numbers], ['s.1']);
});

for (const answer of ['no-response', { code: 503, outcome: 'unknown' }] as const) {
  test(`repeats the same bytes after ${JSON.stringify(answer)}`, async () => {
    const first = await attempt(answer, { code: 503 }, { code: 200 });
    assert.deepEqual(first.times, [undefined, undefined, undefined]);
    const later = await attempt('no-connection', answer, 'no-connection', { code: 200 });
    assert.deepEqual(later.times, [undefined, handedOverAt, handedOverAt, handedOverAt]);
  });
}

test('leaves the time out if the server refuses it, so that a wrong clock loses no record', async () => {
  const { times, kind, attempts } = await attempt('no-connection', { code: 400 }, { code: 200 });
  assert.deepEqual([times, kind], [[undefined, handedOverAt, undefined], 'accepted']);
  assert.deepEqual(attempts, ['1', '2', '3']);
});

test('reports a refusal that is not about the time', async () => {
  const { times, kind } = await attempt('no-connection', { code: 400 }, { code: 400 });
  assert.deepEqual([times, kind], [[undefined, handedOverAt, undefined], 'malformed']);
});

test('changes nothing of what the server may have, even if it is refused', async () => {
  const { times, kind } = await attempt('no-connection', 'no-response', { code: 400 });
  assert.deepEqual([times, kind], [[undefined, handedOverAt, handedOverAt], 'malformed']);
});
