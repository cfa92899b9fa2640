import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openRaw, requestText } from '../../test/support/raw-connection.ts';
import { pageView } from '../../test/support/records.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createFakeClock } from '../control/test-control.ts';
import { startTestHttp } from '../http/test-http.ts';
import { stopServer } from './stop-server.ts';

const withinMs = 30_000;
/** The plain path stays in the fast lane; with a query, the request goes to node:http. */
const paths = { 'the fast lane': '/api/page-view', 'node:http': '/api/page-view?a' };

async function listen(t: TestContext) {
  const parts = await startTestHttp(t, { clock: createFakeClock('2026-03-10T09:00:00Z') });
  const { apiKey } = await parts.addWebsite('a.test', null);
  const { journal } = parts;
  const append = journal.append;
  const held: (() => void)[] = [];
  journal.append = (payload, done) => held.push(() => append(payload, done));
  const request = (path: string) =>
    requestText('POST', path, { Authorization: apiKey }, JSON.stringify(pageView()));
  return { ...parts, held, request };
}

for (const [name, path] of Object.entries(paths)) {
  test(`answers what is under way in ${name}, closes what is idle and takes nothing new`, async (t) => {
    const { server, fastLane, origin, held, request } = await listen(t);
    const [idle, busy] = [await openRaw(origin), await openRaw(origin)];
    idle.send(request(path));
    await waitFor('the request', () => held.length === 1);
    held[0]!();
    await idle.untilAnswers(1);
    busy.send(request(path));
    await waitFor('the request', () => held.length === 2);

    const stopped = stopServer({ server, fastLane, withinMs });
    await idle.untilClosed();
    await assert.rejects(openRaw(origin), { code: 'ECONNREFUSED' });
    held[1]!();
    assert.equal((await busy.untilAnswers(1))[0]?.status, 200);
    await busy.untilClosed();
    for (const connection of [idle, busy]) connection.destroy();
    await stopped;
  });

  test(`does not wait for ever for an answer in ${name} that does not come`, async (t) => {
    const { server, fastLane, origin, held, request } = await listen(t);
    const busy = await openRaw(origin);
    busy.send(request(path));
    await waitFor('the request', () => held.length === 1);
    await stopServer({ server, fastLane, withinMs: 50 });
    assert.deepEqual(await busy.untilClosed(), []);
    busy.destroy();
  });
}
