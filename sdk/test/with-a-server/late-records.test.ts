import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { useTracksideHereOfProcess } from '../../../server/test/support/share-trackside.ts';
import { makeMetrics } from '../../src/record/test-metrics.ts';
import { createHttpExchange } from '../../src/sending/exchange-by-http.ts';
import { sendBatch } from '../../src/sending/send-batch.ts';
import { sendRecord } from '../../src/sending/send-record.ts';
import { systemClock } from '../../src/time/clock.ts';

const contingent = 1000;

const startShared = useTracksideHereOfProcess();

test('a server counts a record with time, number and release once, and refuses it with another time', async () => {
  const server = await startShared();
  const { apiKey } = await server.addWebsite('late.test', contingent);
  const exchange = createHttpExchange();
  const destination = {
    url: server.origin(),
    apiKey,
    release: 'shop 1.4.2',
    timeoutMs: 60_000,
    exchange,
  };
  const occurredAt = Date.now() - 60_000;
  const makeOne = (number: number) => ({
    key: randomUUID(),
    path: '/api/page-view' as const,
    body: JSON.stringify({ Metrics: makeMetrics('https://shop.test/') }),
    sequence: `0123456789abcdef.${number}`,
    attempts: 1,
    occurredAt,
  });
  const [alone, batched] = [makeOne(1), makeOne(2)];
  const send = async (changes: object) => {
    const { result } = await sendRecord(destination, { ...alone, ...changes }, systemClock);
    return result;
  };
  assert.equal((await send({})).kind, 'accepted');
  assert.equal((await send({ attempts: 2 })).kind, 'accepted', 'the same bytes are a repeat');
  const other = await send({ attempts: 3, occurredAt: undefined });
  assert.equal(other.kind, 'malformed', 'this is why a repeat keeps its time');

  for (const attempts of [1, 2]) {
    // A record that was sent alone is recognized in a batch, although its number is in the body there.
    const records = [
      { ...batched, attempts },
      { ...alone, attempts: attempts + 2 },
    ];
    const outcome = await sendBatch(destination, records, systemClock);
    assert.ok(outcome !== 'one-by-one');
    assert.deepEqual(
      outcome.map(({ result }) => result.kind),
      ['accepted', 'accepted'],
    );
  }
  const { result: repeat } = await sendRecord(destination, { ...batched, attempts: 3 }, systemClock);
  assert.equal(repeat.kind, 'accepted', 'and the other way round');
  const last = (await send({ key: randomUUID() })) as { contingent?: { remaining: number } };
  assert.equal(last.contingent?.remaining, contingent - 3);
});
