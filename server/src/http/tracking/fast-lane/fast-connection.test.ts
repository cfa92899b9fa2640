import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { placesBetween, times } from '../../../../test/support/long-form.ts';
import { openRaw, type RawAnswer, requestText } from '../../../../test/support/raw-connection.ts';
import { pageView } from '../../../../test/support/records.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { createFakeClock } from '../../../control/test-control.ts';
import { readJournal } from '../../../journal/test-journal.ts';
import { startTestHttp } from '../../test-http.ts';
import type { TrackingReply } from '../tracking-reply.ts';
import { FastConnection } from './fast-connection.ts';

const path = '/api/page-view';
const body = JSON.stringify(pageView());
type Options = Partial<Parameters<typeof startTestHttp>[1]>;

async function open(t: TestContext, options: Options = {}, { faults = 0 } = {}) {
  const parts = await startTestHttp(t, { clock: createFakeClock('2026-03-10T09:00:00Z'), ...options });
  const { apiKey } = await parts.addWebsite('a.test', 10_000);
  const isFault = (message: string) => message.includes('in an invalid state');
  t.after(() => assert.equal(parts.messages.filter(isFault).length, faults, 'connections in a wrong state'));
  const track = (sent = body, at = path) => requestText('POST', at, { Authorization: apiKey }, sent);
  return { ...parts, apiKey, track };
}

const statusesOf = (answers: RawAnswer[]) => answers.map(({ status }) => status);

test('gives the same answer as Node would', async (t) => {
  const { origin, track } = await open(t);
  const wrong = (at: string) => requestText('POST', at, { Authorization: 'wrong' }, body);
  const pairs = [
    [track(), track(body, `${path}?a`)],
    [track('[]'), track('[]', `${path}?a`)],
    [wrong(path), wrong(`${path}?a`)],
  ];
  for (const pair of pairs) {
    const connections = await Promise.all(pair.map(() => openRaw(origin)));
    const answers = await Promise.all(
      connections.map(async (connection, index) => {
        connection.send(pair[index]!);
        return (await connection.untilAnswers(1))[0]!;
      }),
    );
    for (const connection of connections) connection.destroy();
    const [fast, usual] = answers.map(({ headers, ...answer }) => {
      const { date, ...own } = headers;
      assert.ok(Math.abs(Date.parse(String(date)) - Date.now()) < 60_000);
      // These differ from record to record.
      for (const name of ['request-id', 'contingent-remaining', 'trackside-receipt'])
        if (own[name] !== undefined) own[name] = 'present';
      return { ...answer, ...own };
    });
    assert.deepEqual(fast, usual);
  }
});

test('takes one record from a request that arrives in two parts, wherever it is split', async (t) => {
  const { origin, track, journal } = await open(t);
  const request = track();
  const ends = [...request.matchAll(/\r\n/g)].map(({ index }) => index + 1);
  const cuts = placesBetween(1, request.length - 1, ends);
  for (let at = 0; at < cuts.length; at += 100) {
    const statuses = await Promise.all(
      cuts.slice(at, at + 100).map(async (cut) => {
        const connection = await openRaw(origin);
        connection.send(request.slice(0, cut));
        await new Promise((resolve) => setTimeout(resolve, 5));
        connection.send(request.slice(cut));
        const answers = await connection.untilAnswers(1);
        connection.destroy();
        return statusesOf(answers);
      }),
    );
    for (const found of statuses) assert.deepEqual(found, [200]);
  }
  assert.equal((await readJournal(journal)).length, cuts.length);
});

test('hands a connection over at any other request, and answers everything in order', async (t) => {
  const { origin, apiKey, track, journal } = await open(t);
  const head = requestText('POST', path, { Authorization: apiKey, 'Transfer-Encoding': 'chunked' });
  const chunked = `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  for (const other of [requestText('GET', '/health'), chunked, track(body, `${path}?a`), track() + track()]) {
    const connection = await openRaw(origin);
    let expected = 0;
    for (const request of [track(), track('[]'), other, track()]) {
      connection.send(request);
      expected += request === track() + track() ? 2 : 1;
      await connection.untilAnswers(expected);
    }
    const statuses = statusesOf(connection.answers());
    connection.destroy();
    assert.deepEqual([statuses[0], statuses[1], statuses.at(-1)], [200, 400, 200]);
    assert.equal(statuses.length, expected);
  }
  assert.equal((await readJournal(journal)).length, 4 * 2 + 4);
});

test('answers an unfinished request with a 400, and closes its connection', async (t) => {
  const timeouts = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 };
  const { origin, track, counts } = await open(t, { timeouts: { ...timeouts, fastLaneTickMs: 50 } });
  for (const start of [track().slice(0, -10), track().slice(0, 20), '']) {
    const connection = await openRaw(origin);
    connection.send(start);
    const answers = await connection.untilClosed();
    connection.destroy();
    assert.deepEqual(statusesOf(answers), [400]);
    assert.match(answers[0]!.body, /within the time limit/);
    assert.equal(answers[0]!.headers.connection, 'close');
  }
  assert.equal(counts.refused.get('unfinished'), 1);
});

test('a body that arrives byte by byte has the same deadline, on a used connection too', async (t) => {
  const timeouts = {
    requestTimeout: 400,
    headersTimeout: 400,
    connectionsCheckingInterval: 20,
    fastLaneTickMs: 50,
  };
  const { origin, track, journal } = await open(t, { timeouts });
  const slow = track().slice(0, -body.length);
  for (const first of ['', track()]) {
    const connection = await openRaw(origin);
    if (first !== '') {
      connection.send(first);
      await connection.untilAnswers(1);
    }
    connection.send(slow);
    let sent = 0;
    // A byte is sent every twentieth of the time limit, so the whole body takes longer than the limit.
    const dripping = setInterval(() => connection.send(body[sent++] ?? ''), 20);
    const answers = await connection.untilClosed().finally(() => clearInterval(dripping));
    connection.destroy();
    assert.deepEqual(statusesOf(answers), first === '' ? [400] : [200, 400]);
    assert.match(answers.at(-1)!.body, /within the time limit/);
    assert.ok(sent < body.length, 'expected an answer before the end of the body');
  }
  assert.equal((await readJournal(journal)).length, 1);
});

test('a slow client may use all of its time', async (t) => {
  const { origin, track, journal } = await open(t, { timeouts: { fastLaneTickMs: 20 } });
  const connection = await openRaw(origin);
  connection.send(track().slice(0, -body.length));
  for (const byte of body) {
    connection.send(byte);
    await new Promise(setImmediate);
  }
  assert.deepEqual(statusesOf(await connection.untilAnswers(1)), [200]);
  connection.destroy();
  assert.equal((await readJournal(journal)).length, 1);
});

const slowClients = times(150, 2000);

test(`${slowClients} slow clients hold up nobody else, and are all gone in the end`, async (t) => {
  const timeouts = {
    requestTimeout: 3000,
    headersTimeout: 3000,
    connectionsCheckingInterval: 20,
    fastLaneTickMs: 50,
  };
  const { origin, track, server } = await open(t, { timeouts });
  const slow = await Promise.all(
    Array.from({ length: slowClients }, async (_, index) => {
      const connection = await openRaw(origin);
      connection.send(track().slice(0, index % 2 === 0 ? -body.length : 40));
      return connection;
    }),
  );
  const dripping = setInterval(() => {
    for (const connection of slow) connection.send('x');
  }, 500);
  t.after(() => clearInterval(dripping));
  const quick = await openRaw(origin);
  for (let sent = 1; sent <= 100; sent += 1) {
    quick.send(track());
    assert.equal((await quick.untilAnswers(sent)).length, sent);
  }
  quick.destroy();
  const answers = await Promise.all(slow.map((connection) => connection.untilClosed()));
  clearInterval(dripping);
  for (const connection of slow) connection.destroy();
  assert.deepEqual(
    answers.filter((given) => given.length > 1 || given[0]?.status !== 400),
    [],
  );
  const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
  await waitFor('every connection to be closed', async () => (await count()) === 0);
});

test('closes a connection that has been idle for too long, and not before', async (t) => {
  const { origin, track } = await open(t, { timeouts: { keepAliveTimeout: 1000, fastLaneTickMs: 50 } });
  const connection = await openRaw(origin);
  connection.send(track());
  const [answer] = await connection.untilAnswers(1);
  const answeredAtMs = performance.now();
  assert.equal(answer?.headers['keep-alive'], 'timeout=1');
  await connection.untilClosed();
  assert.ok(performance.now() - answeredAtMs > 900, 'it was closed too early');
  connection.destroy();
});

test('a client that leaves before its answer loses nothing and harms nobody', async (t) => {
  const { origin, track, journal } = await open(t);
  const append = journal.append;
  const held: (() => void)[] = [];
  journal.append = (payload, done) => held.push(() => append(payload, done));
  const [gone, ended] = [await openRaw(origin), await openRaw(origin)];
  gone.send(track());
  ended.send(track());
  await waitFor('the requests', () => held.length === 2);
  gone.reset();
  ended.finish();
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const go of held) go();
  const answers = await ended.untilClosed();
  assert.deepEqual(statusesOf(answers), [200]);
  assert.equal(answers[0]?.headers.connection, 'close');
  ended.destroy();
  assert.equal((await readJournal(journal)).length, 2);
});

test('answers a record even if the disk takes longer than a request may take', async (t) => {
  const timeouts = { requestTimeout: 60, headersTimeout: 60, connectionsCheckingInterval: 20 };
  const { origin, track, journal } = await open(t, { timeouts: { ...timeouts, fastLaneTickMs: 20 } });
  const append = journal.append;
  const held: (() => void)[] = [];
  journal.append = (payload, done) => held.push(() => append(payload, done));
  const connection = await openRaw(origin);
  connection.send(track());
  await waitFor('the request', () => held.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const go of held) go();
  assert.deepEqual(statusesOf(await connection.untilAnswers(1)), [200]);
  connection.destroy();
});

test('closes a connection rather than give one request two answers', async (t) => {
  const { origin, track, journal } = await open(t, {}, { faults: 1 });
  const append = journal.append.bind(journal);
  t.mock.method(journal, 'append', (...[payload, done, mark]: Parameters<typeof append>) =>
    append(
      payload,
      (failure) => {
        done(failure);
        done(failure);
      },
      mark,
    ),
  );
  const connection = await openRaw(origin);
  connection.send(track());
  const answers = await connection.untilClosed();
  connection.destroy();
  assert.ok(answers.length <= 1, 'one answer, or none that left in time');
});

test('stops reading from a client that does not read its answers', async (t) => {
  const { server, track } = await open(t);
  const written: (() => void)[] = [];
  const socket = new Duplex({
    writableHighWaterMark: 1,
    read() {},
    write: (_chunk, _encoding, done) => written.push(done),
  });
  server.emit('connection', socket);
  socket.push(track());
  await waitFor('the answer', () => written.length === 1);
  assert.ok(socket.isPaused());
  written[0]!();
  await waitFor('reading again', () => !socket.isPaused());
  socket.push(track());
  await waitFor('the next answer', () => written.length === 2);
  socket.destroy();
});

test('closes a connection that would answer one request twice, and acknowledges nothing more', async () => {
  const broken: unknown[] = [];
  const written: string[] = [];
  const website = { id: 1 } as never;
  let answerAgain = () => {};
  const lane: ConstructorParameters<typeof FastConnection>[1] = {
    tracking: {
      open: (kind: 'page_view') => ({ kind, website, key: undefined }),
      take(_request: unknown, _body: Buffer, reply: TrackingReply) {
        reply.success([]);
        answerAgain = () => reply.success([]);
      },
    } as never,
    requestMs: 1000,
    idleMs: () => 1000,
    isStopping: false,
    ending: () => '\r\n',
    handOver: () => assert.fail('expected the connection to stay in the fast lane'),
    leave: () => {},
    onBroken: (error) => broken.push(error),
  };
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  new FastConnection(socket as never, lane);
  socket.push(requestText('POST', path, { Authorization: 'key' }, body));
  await waitFor('the answer', () => written.length === 1);
  answerAgain();
  assert.equal(written.length, 1);
  assert.ok(socket.destroyed);
  assert.match(String(broken), /^AssertionError.*An answer must belong to the last request/);
});
