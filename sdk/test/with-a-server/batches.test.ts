import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useTracksideHereOfProcess } from '../../../server/test/support/share-trackside.ts';
import { Trackside } from '../../src/client/trackside-on-node.ts';
import { makeMetrics } from '../../src/record/test-metrics.ts';

const tracked = 700;
const contingent = 10_000;

const startShared = useTracksideHereOfProcess();

test('sends what waited during an outage in a few requests, and counts it once despite lost answers', async () => {
  const server = await startShared();
  const origin = server.origin();
  const { apiKey } = await server.addWebsite('outage.test', contingent);
  const batches: number[] = [];
  let singles = 0;
  let isAway = true;
  const lost = new Set<string>();
  const overUnreliableNetwork: typeof fetch = async (input, init) => {
    if (isAway) throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' });
    const isBatch = String(input).endsWith('/api/batch');
    if (isBatch) batches.push(JSON.parse(String(init?.body)).Records.length);
    else singles += 1;
    const response = await fetch(input, init);
    // The first answer to a batch, and the first to a single record, get lost on the way back.
    const form = isBatch ? 'batch' : 'single';
    if (lost.has(form)) return response;
    await response.arrayBuffer();
    lost.add(form);
    throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
  };
  const trackside = new Trackside({
    url: origin,
    apiKey,
    timeoutMs: 120_000,
    fetch: overUnreliableNetwork,
    onError: () => {},
  });
  for (let at = 0; at < tracked; at += 1) trackside.trackPageView(makeMetrics(`https://shop.test/${at}`));
  assert.deepEqual(await trackside.flush({ withinMs: 50 }), { remaining: tracked });
  isAway = false;
  assert.deepEqual(await trackside.close({ withinMs: 300_000 }), { remaining: 0 });
  const { accepted, refused, dropped } = trackside.counts();
  assert.deepEqual(
    { accepted, refused, dropped, lost: lost.size },
    { accepted: tracked, refused: 0, dropped: 0, lost: 2 },
  );
  assert.ok(batches.length > 1 && Math.max(...batches) > 100, String(batches));
  assert.ok(
    singles + batches.length < tracked / 10,
    `${singles} single requests and ${batches.length} batches`,
  );

  const response = await fetch(`${origin}/api/page-view`, {
    method: 'POST',
    headers: { Authorization: apiKey },
    body: JSON.stringify({ Metrics: makeMetrics() }),
  });
  assert.equal(response.headers.get('contingent-remaining'), String(contingent - tracked - 1));
});
