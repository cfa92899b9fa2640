import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openRaw, requestText } from '../../test/support/raw-connection.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { stopServer } from './stop-server.ts';

const withinMs = 30_000;

async function listen(t: TestContext) {
  const pending: ServerResponse[] = [];
  const server = createServer((_request, response) => pending.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  return { server, pending, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('answers what is under way, closes idle connections and takes no new ones', async (t) => {
  const { server, pending, origin } = await listen(t);
  const [idle, busy] = [await openRaw(origin), await openRaw(origin)];
  idle.send(requestText('GET', '/'));
  await waitFor('the request', () => pending.length === 1);
  pending[0]!.end('first');
  await idle.untilAnswers(1);
  busy.send(requestText('GET', '/'));
  await waitFor('the request', () => pending.length === 2);

  const stopped = stopServer(server, { withinMs });
  await idle.untilClosed();
  await assert.rejects(openRaw(origin), { code: 'ECONNREFUSED' });
  pending[1]!.setHeader('Content-Length', 6).end('second');
  assert.equal((await busy.untilAnswers(1))[0]?.body, 'second');
  await busy.untilClosed();
  for (const connection of [idle, busy]) connection.destroy();
  await stopped;
});

test('does not wait for ever for an answer that does not come', async (t) => {
  const { server, pending, origin } = await listen(t);
  const busy = await openRaw(origin);
  busy.send(requestText('GET', '/'));
  await waitFor('the request', () => pending.length === 1);
  await stopServer(server, { withinMs: 50 });
  assert.deepEqual(await busy.untilClosed(), []);
  busy.destroy();
});
