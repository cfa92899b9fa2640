import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import express, { type RequestHandler } from 'express';
import { listen } from '../test-hosts.ts';
import { browserPost, collected, send, type TestRequest } from '../test-request.ts';
import { createTestTracker } from '../test-tracker.ts';
import { trackside } from './express.ts';

const noFault = (fault: unknown) => assert.fail(String(fault));

async function sendTo(app: express.Express, request: TestRequest) {
  const { port, close } = await listen(createServer(app));
  try {
    return await send(port, request);
  } finally {
    await close();
  }
}

describe('in Express', { timeout: 300_000 }, () => {
  const parsers: [string, RequestHandler, string][] = [
    ['express.text()', express.text(), 'text/plain;charset=UTF-8'],
    ['express.json()', express.json(), 'application/json'],
    ['express.json() for all types', express.json({ type: '*/*' }), 'text/plain'],
    ['express.raw()', express.raw({ type: '*/*' }), 'text/plain'],
    ['a parser for other types', express.urlencoded(), 'text/plain'],
    [
      'a parser that leaves {} where it has read nothing',
      (req, _res, next) => {
        req.body = {};
        next();
      },
      'text/plain',
    ],
  ];
  for (const [name, parser, type] of parsers) {
    test(`reads the body behind ${name}`, async () => {
      const tracker = createTestTracker();
      const app = express();
      app.use(parser, trackside({ trackside: tracker.trackside, onError: noFault }));
      const got = await sendTo(app, browserPost({ ...collected, Name: 'Größe' }, { 'Content-Type': type }));
      assert.equal(got.status, 204, got.body);
      const [record] = await tracker.until(1);
      assert.equal(record?.kind === 'event' && record.name, 'Größe');
    });
  }

  test('limits an already parsed body to the same 32 KiB', async () => {
    const { trackside: tracker, records } = createTestTracker();
    const app = express().use(express.text({ limit: '1mb' }), trackside({ trackside: tracker }));
    const got = await sendTo(app, browserPost({ ...collected, More: 'ä'.repeat(20_000) }));
    assert.deepEqual([got.status, records], [413, []]);
  });

  test('says so when the body was read and not kept', async () => {
    const { trackside: tracker, records } = createTestTracker();
    const app = express();
    app.use((req, _res, next) => {
      req.resume().on('end', next);
    });
    app.use(trackside({ trackside: tracker }));
    const got = await sendTo(app, browserPost(collected));
    assert.deepEqual([got.status, records], [400, []]);
    assert.match(got.body, /did something read it before/);
  });

  for (const [mount, path] of [
    ['/shop', '/side'],
    ['/shop', '/shop/side'],
    ['/shop/side', '/shop/side'],
    ['/', '/shop/side'],
  ] as const) {
    test(`is found at /shop/side, mounted at ${mount} with the path ${path}`, async () => {
      const tracker = createTestTracker();
      const app = express();
      app.use(mount, trackside({ trackside: tracker.trackside, path }));
      assert.equal((await sendTo(app, { ...browserPost(collected), path: '/shop/side?x=1' })).status, 204);
      assert.equal((await sendTo(app, { ...browserPost(collected), path: '/shop/other' })).status, 404);
      await tracker.until(1);
    });
  }

  test('works as the handler of a single route', async () => {
    const tracker = createTestTracker();
    const app = express();
    app.post('/side', trackside({ trackside: tracker.trackside }));
    assert.equal((await sendTo(app, browserPost(collected))).status, 204);
    await tracker.until(1);
  });

  test('passes the request of Express to clientId, even without naming its type', async () => {
    const tracker = createTestTracker();
    const app = express();
    app.use(trackside({ trackside: tracker.trackside, clientId: (req) => req.get('x-account') }));
    await sendTo(app, browserPost(collected, { 'X-Account': 'a-17' }));
    assert.equal((await tracker.until(1))[0]?.metrics.Identify.ClientId, 'a-17');
  });
});
