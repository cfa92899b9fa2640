import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createAgentClient, createSocketClient } from './support/keep-alive-clients.ts';
import { times } from './support/long-form.ts';
import { useTracksideOfProcess } from './support/share-trackside.ts';
import type { Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const stops = times(1, 6);
const clientsOfAKind = times(6, 12);
const records = times(250, 500);

type Progress = { answered: Set<string>; unanswered: string[]; toldMs: number };

/**
 * A server that stops closes connections that are silent for 500 ms, and all of them after 2500 ms. On a busy
 * machine, a client may be that late.
 */
const isLate = (silentMs: number, sinceToldMs: number) => silentMs > 400 || sinceToldMs > 2_400;

/** Sends records one after the other until the server is gone. Some clients pause between records. */
async function sendUntilRefused(client: Client, name: string, progress: Progress): Promise<void> {
  let answeredMs = performance.now();
  for (let record = 0; ; record += 1) {
    if (name.includes('pausing')) await delay(100 + (record % 5) * 20);
    const path = `/${name}-${record}`;
    const silentMs = performance.now() - answeredMs;
    try {
      const status = await client.send(path);
      if (status === undefined) break;
      if (status === 200) progress.answered.add(path);
      else assert.equal(status, 503, path);
    } catch (error) {
      if (!isLate(silentMs, performance.now() - progress.toldMs))
        progress.unanswered.push(`${path}: ${error}`);
    }
    answeredMs = performance.now();
  }
  client.close();
}

let trackside: Trackside;
const startShared = useTracksideOfProcess();
before(async () => {
  trackside = await startShared();
});

test(`answers every record when the server stops, and stores it if answered with 200 (${stops})`, async () => {
  const { id, apiKey } = await trackside.addWebsite('stop.test');
  const progress: Progress = { answered: new Set(), unanswered: [], toldMs: Number.POSITIVE_INFINITY };
  const kinds: Record<string, () => Client> = {
    plain: () => createSocketClient(trackside.origin(), apiKey, '/api/page-view'),
    pausing: () => createSocketClient(trackside.origin(), apiKey, '/api/page-view'),
    query: () => createSocketClient(trackside.origin(), apiKey, '/api/page-view?a'),
    agent: () => createAgentClient(trackside.origin(), apiKey, {}),
    unusual: () => createAgentClient(trackside.origin(), apiKey, { TE: 'trailers' }),
  };
  for (let stop = 0; stop < stops; stop += 1) {
    if (stop > 0) await trackside.start();
    progress.toldMs = Number.POSITIVE_INFINITY;
    const probe = kinds.plain!();
    await waitFor('the key to be known', async () => (await probe.send(`/probe-${stop}`)) === 200);
    probe.close();
    progress.answered.add(`/probe-${stop}`);
    const before = progress.answered.size;
    const sending = Object.entries(kinds).flatMap(([kind, create]) =>
      Array.from({ length: clientsOfAKind }, (_, index) =>
        sendUntilRefused(create(), `${stop}-${kind}-${index}`, progress),
      ),
    );
    await waitFor('records to flow', () => progress.answered.size > before + records + 111 * stop);
    progress.toldMs = performance.now();
    assert.equal(await trackside.end('SIGTERM'), 0);
    await Promise.all(sending);
  }
  assert.deepEqual(progress.unanswered, []);

  await trackside.start();
  const stored = async () => {
    const rows = await trackside.store.query<{ path: string }>({
      query: `select distinct path from records where website_id = ${id}`,
    });
    return new Set(rows.map(({ path }) => path));
  };
  const missing = async () => progress.answered.difference(await stored()).size;
  await waitFor('every answered record to be in the store', async () => {
    return (await missing().catch(() => 1)) === 0;
  });
});
