import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { times } from './support/long-form.ts';
import { openRaw, requestText } from './support/raw-connection.ts';
import { pageView } from './support/records.ts';
import { useTracksideOfProcess } from './support/share-trackside.ts';
import type { Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const kills = times(1, 3);
const recordsBeforeKill = times(120, 60);
const clients = times(9, 12);
const contingent = 1_000_000;
/** How long a client waits before it sends a record again. */
const againMs = times(50, 5);

type Progress = { sent: string[]; answered: number; lost: number };

/**
 * Sends records one after the other, each with its key until it is answered with 200. The client doesn't wait
 * for every third answer. It can't know whether that record was written, so it sends the record again.
 */
async function sendUntil(
  stopped: AbortSignal,
  client: number,
  trackside: Trackside,
  apiKey: string,
  progress: Progress,
) {
  for (let record = 0; !stopped.aborted; record += 1) {
    const path = `/c${client}-${record}`;
    const body = JSON.stringify(pageView({ Page: { Absolute: `https://example.com${path}` } }));
    const headers = { Authorization: apiKey, 'Idempotency-Key': randomUUID() };
    const request = requestText('POST', '/api/page-view', headers, body);
    progress.sent.push(path);
    for (let attempt = 0; ; attempt += 1) {
      const isLost = attempt === 0 && record % 3 === client % 3;
      const status = await sendOnce(trackside.origin(), request, isLost).catch(() => undefined);
      if (status === 200) break;
      if (isLost) progress.lost += 1;
      else await delay(againMs);
    }
    progress.answered += 1;
  }
}

async function sendOnce(origin: string, request: string, isLost: boolean): Promise<number | undefined> {
  const connection = await openRaw(origin);
  try {
    connection.send(request);
    if (!isLost) return (await connection.untilAnswers(1))[0]?.status;
    // The connection closes while the server works on the request, or just afterwards.
    await delay(2);
    return undefined;
  } finally {
    connection.destroy();
  }
}

let trackside: Trackside;
const startShared = useTracksideOfProcess();
before(async () => {
  trackside = await startShared();
});

test(`counts a record sent until it is answered once, despite lost answers and kills (${kills})`, async () => {
  const { id, apiKey } = await trackside.addWebsite('repeats.test', contingent);
  const progress: Progress = { sent: [], answered: 0, lost: 0 };
  const stop = new AbortController();
  const senders = Array.from({ length: clients }, (_, client) =>
    sendUntil(stop.signal, client, trackside, apiKey, progress),
  );
  for (let kill = 0; kill < kills; kill += 1) {
    const before = progress.answered;
    await waitFor('records to be accepted', () => progress.answered > before + recordsBeforeKill);
    await trackside.end('SIGKILL');
    await trackside.start();
  }
  stop.abort();
  await Promise.all(senders);
  assert.ok(progress.lost > 20, `only ${progress.lost} answers were lost`);

  const count = () => trackside.countRows(`website_id = ${id}`).catch(() => 0);
  await waitFor('the store to have all', async () => (await count()) >= progress.sent.length);
  const rows = await trackside.store.query<{ path: string; times: number }>({
    query:
      'select path, toUInt32(count()) as times from records where website_id = {id:UInt32} group by path',
    params: { id },
  });
  assert.deepEqual(
    rows.filter(({ times }) => times !== 1),
    [],
  );
  assert.deepEqual(rows.map(({ path }) => path).sort(), progress.sent.toSorted());

  const connection = await openRaw(trackside.origin());
  connection.send(requestText('POST', '/api/page-view', { Authorization: apiKey }, '{}'));
  const [answer] = await connection.untilAnswers(1);
  connection.destroy();
  assert.equal(contingent - Number(answer?.headers['contingent-remaining']), progress.sent.length);
});
