import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import Fastify from 'fastify';
import { openRaw, requestText } from '../../../test/support/raw-connection.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type EventStream, openEventStream } from './open-event-stream.ts';

/** Starts a real server with one stream, on a connection that the test reads itself. */
async function start(t: TestContext) {
  let stream: EventStream | undefined;
  const app = Fastify();
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.get('/live', (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    stream = openEventStream(request, reply);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const connection = await openRaw(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  t.after(async () => {
    connection.destroy();
    await app.close();
  });
  let text = '';
  connection.socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  connection.send(requestText('GET', '/live'));
  await waitFor('the head', () => text.includes('retry:'));
  let isClosed = false;
  stream!.onClose(() => {
    isClosed = true;
  });
  return { stream: stream!, connection, text: () => text, isClosed: () => isClosed };
}

test('sends its head, the time to reconnect, and then events', async (t) => {
  const { stream, text } = await start(t);
  stream.send('scene', '{"a":1}');
  stream.beat();
  await waitFor('the events', () => text().includes('\n:\n\n'));
  assert.match(text(), /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(text(), /\r\ncontent-type: text\/event-stream; charset=utf-8\r\n/i);
  assert.match(text(), /\r\ncache-control: no-store\r\n/i);
  assert.match(text(), /retry: \d+\n\n/);
  assert.match(text(), /\nevent: scene\ndata: \{"a":1\}\n\n/);
});

test('cuts off a client that does not read', async (t) => {
  const { stream, connection, isClosed } = await start(t);
  connection.socket.pause();
  // The kernels on both sides buffer some of it. The rest waits in this process.
  for (let sent = 0; !isClosed(); sent += 1) {
    assert.ok(sent < 10_000, 'expected the stream to be closed');
    stream.send('scene', `"${'x'.repeat(16 * 1024)}"`);
    await settle();
  }
});

test('a client that closes its side is gone', async (t) => {
  const { connection, isClosed } = await start(t);
  connection.finish();
  await waitFor('the stream to be closed', isClosed);
});

test('closing ends the answer, and nothing is sent afterwards', async (t) => {
  const { stream, connection, text, isClosed } = await start(t);
  stream.close();
  stream.send('scene', '{}');
  stream.close();
  await waitFor('the end of the answer', () => text().endsWith('0\r\n\r\n'));
  assert.ok(isClosed());
  assert.doesNotMatch(text(), /event: scene/);
  assert.ok(connection.isOpen());
});
