import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { describe, test } from 'node:test';
import { listen } from '../test-hosts.ts';
import { browserPost, collected, send } from '../test-request.ts';
import { createTestTracker } from '../test-tracker.ts';
import { countPages, createListener } from './node.ts';

/** Writes the text as it is, and returns everything that comes until the server closes the connection. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece) => {
      got += piece;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
  });
}
const head = (more: string) =>
  `POST /side HTTP/1.1\r\nHost: shop.example\r\nOrigin: https://shop.example\r\n${more}\r\n\r\n`;

describe('in node:http', { timeout: 300_000 }, () => {
  test('closes the connection after a body that is announced as too large, without waiting for it', async () => {
    const { trackside } = createTestTracker();
    const listener = createListener({ trackside });
    const { port, close } = await listen(createServer((req, res) => void listener(req, res)));
    const got = await exchange(port, `${head('Content-Length: 40000')}{`);
    assert.match(got, /^HTTP\/1\.1 413 .*Connection: close.*Body: expected at most 32768 bytes/is);
    await close();
  });

  test('answers and hangs up on a client that stops in the middle of its body', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { trackside, records } = createTestTracker();
    const listener = createListener({ trackside });
    const server = createServer((req, res) => void listener(req, res));
    const { port, close } = await listen(server);
    const asked = once(server, 'request');
    const got = exchange(port, `${head('Content-Length: 500')}{`);
    await asked;
    await new Promise(setImmediate);
    t.mock.timers.tick(10_000);
    await new Promise(setImmediate);
    t.mock.timers.tick(1000);
    assert.match(await got, /^HTTP\/1\.1 400 .*Connection: close/is);
    assert.deepEqual(records, []);
    await close();
  });

  test('keeps the connection after a body that it has read', async () => {
    const { trackside, until } = createTestTracker();
    const listener = createListener({ trackside });
    const { port, close } = await listen(createServer((req, res) => void listener(req, res)));
    const body = JSON.stringify(collected);
    const first = head(`Content-Length: ${body.length}`) + body;
    const last = head(`Connection: close\r\nContent-Length: ${body.length}`) + body;
    const got = await exchange(port, first + first + last);
    assert.equal(got.match(/HTTP\/1\.1 204/g)?.length, 3);
    assert.equal((await until(3)).length, 3);
    await close();
  });

  test('keeps the connection after a refusal with a short body still on its way', async () => {
    const { trackside, until } = createTestTracker();
    const listener = createListener({ trackside });
    const { port, close } = await listen(createServer((req, res) => void listener(req, res)));
    const body = JSON.stringify(collected);
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('latin1');
    socket.write('POST /side HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 3\r\n\r\n');
    const [refusal] = await once(socket, 'data');
    assert.match(refusal, /^HTTP\/1\.1 403 /);
    assert.doesNotMatch(refusal, /Connection: close/);
    socket.write(`{ }${head(`Content-Length: ${body.length}`)}${body}`);
    await until(1);
    socket.destroy();
    await close();
  });

  test('accepts HTTP/2 requests', async () => {
    const { trackside, until } = createTestTracker();
    const listener = createListener({ trackside });
    const server = createHttp2Server((req, res) => void listener(req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const post = (body: string) =>
      new Promise((resolve, reject) => {
        const stream = client.request({
          ':method': 'POST',
          ':path': '/side',
          ':authority': 'shop.example',
          origin: 'https://shop.example',
        });
        stream.on('response', (headers) => resolve(headers[':status']));
        stream.on('error', reject);
        stream.end(body);
        stream.resume();
      });
    assert.equal(await post(JSON.stringify(collected)), 204);
    assert.equal(await post('x'.repeat(40_000)), 413);
    assert.equal((await until(1))[0]?.metrics.Browser.IP, '127.0.0.1');
    client.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  const writers: [string, (res: ServerResponse) => void][] = [
    ['in an object', (res) => res.writeHead(200, { 'Content-Type': 'text/html' })],
    ['behind a reason', (res) => res.writeHead(200, 'Fine', { 'content-type': 'text/html' })],
    ['in a list', (res) => res.writeHead(200, ['X-A', 'b', 'Content-Type', 'text/html'])],
    ['by setHeader', (res) => res.setHeader('Content-Type', 'text/html')],
  ];
  for (const [how, write] of writers) {
    test(`counts a page whose type is given ${how}`, async () => {
      const { trackside, until } = createTestTracker();
      const count = countPages({ trackside });
      const answer = (req: IncomingMessage, res: ServerResponse) => {
        count(req, res);
        write(res);
        res.end('<h1>');
      };
      const { port, close } = await listen(createServer(answer));
      const got = await send(port, { path: '//other.example/shoes', headers: { Host: 'shop.example' } });
      assert.deepEqual([got.body, got.headers['content-type']], ['<h1>', 'text/html']);
      assert.equal((await until(1))[0]?.metrics.Page.Absolute, 'http://shop.example//other.example/shoes');
      await close();
    });
  }

  test('does not answer a request that something else has answered in the meantime', async () => {
    const { trackside, until } = createTestTracker();
    const listener = createListener({ trackside });
    const { port, close } = await listen(
      createServer(async (req, res) => {
        listener(req, res);
        res.writeHead(503).write('too ');
        await until(1);
        setImmediate(() => res.end('slow'));
      }),
    );
    const got = await send(port, browserPost(collected));
    assert.deepEqual([got.status, got.body], [503, 'too slow']);
    await close();
  });
});
