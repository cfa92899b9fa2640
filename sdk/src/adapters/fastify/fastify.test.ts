import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fastify from 'fastify';
import { browserPost, collected } from '../test-request.ts';
import { createTestTracker } from '../test-tracker.ts';
import { countPages, trackside } from './fastify.ts';

/** Makes a request without a socket, as Fastify's own users do in tests. */
function inject({ method, path, headers, body }: ReturnType<typeof browserPost>) {
  return { method: method as 'POST', url: path!, headers: headers as Record<string, string>, payload: body! };
}

describe('in Fastify', { timeout: 300_000 }, () => {
  for (const type of ['text/plain;charset=UTF-8', 'application/json', 'application/x-unknown', '', ';']) {
    test(`reads the body even if the application has its own parsers, sent as "${type}"`, async () => {
      const tracker = createTestTracker();
      const app = fastify();
      const refuse = () => assert.fail('a parser of the application was asked');
      app.addContentTypeParser('*', refuse);
      app.removeContentTypeParser('text/plain');
      app.addContentTypeParser('text/plain', { parseAs: 'string' }, refuse);
      app.register(trackside, { trackside: tracker.trackside });
      const got = await app.inject(inject(browserPost(collected, { 'Content-Type': type })));
      assert.equal(got.statusCode, 204, got.body);
      await tracker.until(1);
    });
  }

  test('leaves the application’s own parsers unchanged', async () => {
    const { trackside: tracker } = createTestTracker();
    const app = fastify();
    app.register(trackside, { trackside: tracker });
    app.post('/json', (request) => ({ type: request.headers['content-type'], body: request.body }));
    const got = await app.inject({ method: 'POST', url: '/json', payload: { a: 1 } });
    assert.deepEqual(got.json(), { type: 'application/json', body: { a: 1 } });
  });

  test('is found below the prefix of its register call', async () => {
    const tracker = createTestTracker();
    const app = fastify();
    app.register(trackside, { prefix: '/shop', trackside: tracker.trackside });
    const got = await app.inject(inject({ ...browserPost(collected), path: '/shop/side' }));
    assert.equal(got.statusCode, 204);
    await tracker.until(1);
  });

  test('lets the hooks of the application see the answer', async () => {
    const { trackside: tracker } = createTestTracker();
    const app = fastify();
    app.addHook('onSend', async (_request, reply) => void reply.header('x-seen', 'yes'));
    app.register(trackside, { trackside: tracker });
    const got = await app.inject(inject(browserPost(collected)));
    assert.deepEqual([got.statusCode, got.headers['x-seen']], [204, 'yes']);
  });

  test('counts the pages of plugins that are registered beside it', async () => {
    const tracker = createTestTracker();
    const app = fastify();
    app.register(countPages, { trackside: tracker.trackside });
    app.register(async (shop) => {
      shop.get('/shoes', (_request, reply) => reply.type('text/html').send('<h1>'));
    });
    await app.inject({ url: '/shoes', headers: { host: 'shop.example' } });
    assert.equal((await tracker.until(1))[0]?.metrics.Page.Absolute, 'http://shop.example/shoes');
  });
});
