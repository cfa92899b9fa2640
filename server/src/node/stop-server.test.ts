import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openRaw, requestText } from '../../test/support/raw-connection.ts';
import { pageView } from '../../test/support/records.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createFakeClock } from '../control/test-control.ts';
import { startTestHttp } from '../http/test-http.ts';
import { stopServer } from './stop-server.ts';

const withinMs = 300_000;
/** The plain path stays in the fast lane. With a query, the request goes to node:http. */
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
  test(`answers what is in progress in ${name}, closes idle connections and accepts nothing new`, async (t) => {
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

  test(`in ${name}, a request that arrives after the stop has begun is answered as the last one`, async (t) => {
    const { server, fastLane, origin, held, request } = await listen(t);
    const connections = await Promise.all(Array.from({ length: 5 }, () => openRaw(origin)));
    for (const connection of connections) connection.send(request(path));
    await waitFor('the requests', () => held.length === 5);
    for (const go of held.splice(0)) go();
    for (const connection of connections) await connection.untilAnswers(1);
    const stopped = stopServer({ server, fastLane, withinMs });
    await waitFor('the listening socket to be closed', () => !server.listening);
    for (const connection of connections) connection.send(request(path));
    await waitFor('the requests', () => held.length === 5);
    for (const go of held.splice(0)) go();
    for (const connection of connections) {
      const answers = await connection.untilClosed();
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.connection]),
        [
          [200, 'keep-alive'],
          [200, 'close'],
        ],
      );
      connection.destroy();
    }
    await stopped;
  });

  test(`in ${name}, does not accept a record that arrives after its connection was closed`, async (t) => {
    const { server, fastLane, origin, held, request } = await listen(t);
    const idle = await openRaw(origin);
    idle.send(request(path));
    await waitFor('the request', () => held.length === 1);
    held[0]!();
    await idle.untilAnswers(1);
    const stopped = stopServer({ server, fastLane, withinMs });
    await idle.untilClosed();
    idle.send(request(path));
    await stopped;
    idle.destroy();
    assert.equal(held.length, 1);
  });

  test(`in ${name}, accepts connections that the kernel has set up before it stops`, async (t) => {
    const { server, fastLane, origin, held, request } = await listen(t);
    const { hostname, port } = new URL(origin);
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname));
    const answers = sockets.map(async (socket) => {
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.write(request(path));
      await once(socket, 'close');
      return text;
    });
    // On one machine, the kernel connects the two sides without our help, and this turn hasn't accepted any
    // connection yet.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    untilSetUp(Number(port), sockets.length);
    const stopped = stopServer({ server, fastLane, withinMs });
    await waitFor('the requests', () => held.length === 20);
    for (const go of held) go();
    for (const text of await Promise.all(answers)) assert.match(text, /^HTTP\/1\.1 200 /);
    await stopped;
  });

  test(`does not wait forever for an answer in ${name} that never comes`, async (t) => {
    const { server, fastLane, origin, held, request } = await listen(t);
    const busy = await openRaw(origin);
    busy.send(request(path));
    await waitFor('the request', () => held.length === 1);
    await stopServer({ server, fastLane, withinMs: 50 });
    assert.deepEqual(await busy.untilClosed(), []);
    busy.destroy();
  });
}

test('answers all pipelined requests', async (t) => {
  const { server, fastLane, origin, held, request } = await listen(t);
  const connection = await openRaw(origin);
  connection.send(request('/api/page-view').repeat(2));
  await waitFor('the first request', () => held.length === 1);
  const stopped = stopServer({ server, fastLane, withinMs });
  await waitFor('the listening socket to be closed', () => !server.listening);
  held[0]!();
  await waitFor('the second request', () => held.length === 2);
  held[1]!();
  const answers = await connection.untilClosed();
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.connection]),
    [
      [200, 'keep-alive'],
      [200, 'close'],
    ],
  );
  connection.destroy();
  await stopped;
});

test('answers those that follow after the stop has begun, up to the last one', async (t) => {
  const { server, fastLane, origin, held, request } = await listen(t);
  const [patient, refused] = [await openRaw(origin), await openRaw(origin)];
  const other = '/api/page-view?a';
  for (const connection of [patient, refused]) {
    connection.send(request(other));
    await waitFor('the request', () => held.length === 1);
    held.pop()!();
    await connection.untilAnswers(1);
  }
  const stopped = stopServer({ server, fastLane, withinMs });
  await waitFor('the listening socket to be closed', () => !server.listening);
  patient.send(request(other).repeat(3));
  // The first of these is refused at once, and its answer is the last one. So the record behind it isn't
  // taken.
  refused.send(requestText('GET', other) + request(other));
  await waitFor('the requests', () => held.length >= 3);
  for (const go of held) go();
  const came = [await patient.untilClosed(), await refused.untilClosed()];
  assert.deepEqual(
    came.map((answers) => answers.slice(1).map(({ status, headers }) => [status, headers.connection])),
    [
      [
        [200, 'keep-alive'],
        [200, 'keep-alive'],
        [200, 'close'],
      ],
      [[405, 'close']],
    ],
  );
  for (const connection of [patient, refused]) connection.destroy();
  await stopped;
  assert.equal(held.length, 3);
});

/** Waits within this turn until the kernel has set up the connections, which can take it a while under load. */
function untilSetUp(port: number, connections: number): void {
  const ofServer = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].filter((path) => existsSync(path));
  const isEstablished = (line: string) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return local?.endsWith(ofServer) && state === '01';
  };
  const count = () =>
    tables.flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(isEstablished)).length;
  const limitMs = performance.now() + 300_000;
  while (tables.length > 0 && count() < connections && performance.now() < limitMs);
}
