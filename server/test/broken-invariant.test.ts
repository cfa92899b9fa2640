import assert from 'node:assert/strict';
import { stat, truncate } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listSegments, segmentPath } from '../src/journal/segment-file.ts';
import { event, post as postTo } from './support/records.ts';
import { createServerHere } from './support/serve-here.ts';
import { startTrackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const clients = 3;
const pauseMs = 10;
/** Without retention, a segment is finished by the next round of pruning. */
const environment = { TRACKSIDE_JOURNAL_RETENTION_HOURS: '0' };
/** Such rounds come every half a minute. In this process, all recurring work comes every three seconds at least. */
const inHaste = `data:text/javascript,${encodeURIComponent(`
  const { setInterval } = globalThis;
  globalThis.setInterval = (work, ms, ...rest) => setInterval(work, Math.min(ms, 3000), ...rest);
`)}`;
const nodeArguments = ['--import', inHaste];
const longerThanAnySegment = 200 * 1024 * 1024;

test('a server with an impossible journal ends, and loses no record that it answered', async (t) => {
  const trackside = await startTrackside(t, { environment, nodeArguments });
  const { id, apiKey } = await trackside.addWebsite('example.com');
  const { journal } = trackside.folder;
  const accepted: string[] = [];
  const late: string[] = [];
  let refused = 0;
  let sent = 0;

  const post = async (name: string, origin = trackside.origin()): Promise<number> =>
    (await postTo(origin, '/api/event-view', apiKey, event(name, []))).status;
  const send = async (): Promise<void> => {
    sent += 1;
    const name = `event ${sent}`;
    const isLate = refused > 0;
    const status = await post(name);
    if (status !== 200) refused += 1;
    else if (isLate) late.push(name);
    else accepted.push(name);
  };
  const sendUntilEnd = async (): Promise<void> => {
    // When the server ends, requests fail with a network error.
    for (; !trackside.hasEnded(); await delay(pauseMs)) await send().catch(() => {});
  };

  const lastSegment = async () => (await listSegments(journal)).at(-1)!;
  const before = await lastSegment();
  await waitFor('the server to know the key', async () => (await post('first')) === 200);
  accepted.push('first');
  // After a round of pruning, there is time until the next one.
  await waitFor('the next segment', async () => (await lastSegment()) > before);
  let segment = 0;
  await waitFor('a record in the open segment', async () => {
    segment = await lastSegment();
    const name = `second ${accepted.length}`;
    assert.equal(await post(name), 200);
    accepted.push(name);
    return (await lastSegment()) === segment;
  });
  // Something else makes the open segment longer. The server notices when it finishes the segment.
  await truncate(segmentPath(journal, segment), longerThanAnySegment);
  const sending = Array.from({ length: clients }, sendUntilEnd);
  await waitFor('the server to end', trackside.hasEnded);
  await Promise.all(sending);
  assert.equal(trackside.exitCode(), 1);
  assert.match(trackside.output(), /the server is in an invalid state, which is a bug: stopping/);
  assert.match(
    trackside.output(),
    new RegExp(`Segment ${segment} must have the \\d+ bytes that were written to it`),
  );
  assert.ok(refused > 0, 'expected refusals between the fault and the end');
  assert.deepEqual(late, [], 'nothing is acknowledged after the first refusal');
  assert.equal((await stat(segmentPath(journal, segment))).size, longerThanAnySegment);

  const next = createServerHere({ dataDir: trackside.dataDir });
  t.after(() => next.end('SIGTERM'));
  await next.start();
  assert.equal(await post('last', next.origin()), 200);
  await waitFor('the store to have the last record', () =>
    trackside.countRows(`website_id = ${id} and event_name = 'last'`).then(
      (count) => count > 0,
      () => false,
    ),
  );
  const rows = await trackside.store.query<{ name: string; times: number }>({
    query: `
      select event_name as name, toUInt32(count()) as times
      from records where website_id = {id:UInt32} group by event_name`,
    params: { id },
  });
  const times = new Map(rows.map((row) => [row.name, row.times]));
  assert.deepEqual(
    accepted.filter((name) => !times.has(name)),
    [],
  );
  assert.deepEqual(
    rows.filter((row) => row.times !== 1),
    [],
  );
});
