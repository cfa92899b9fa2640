import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, startTestServer } from '../client/test-server.ts';
import { Trackside } from '../client/trackside.ts';
import { makeMetrics, testKey } from '../record/test-metrics.ts';

const understood = { Day: '2026-03-10', Page: '/pricing', Event: null, Bot: null, HasClientId: true };

test('asks what would become of a record, and passes on what was understood', async (t) => {
  const server = await startTestServer(t);
  const client = new Trackside({ url: server.url, apiKey: testKey });
  server.behave((response) =>
    response.end(JSON.stringify({ Code: 200, Message: 'Success', DryRun: true, Understood: understood })),
  );
  const result = await client.check(makeMetrics(), { name: 'Order', parameters: { plan: 'pro' } });
  assert.partialDeepStrictEqual(result, {
    kind: 'accepted',
    understood: {
      day: '2026-03-10',
      page: '/pricing',
      event: null,
      bot: null,
      hasClientId: true,
      excluded: null,
      os: '',
    },
  });
  const [request] = server.requests;
  assert.equal(request?.path, '/api/event-view');
  assert.equal(request?.headers['trackside-dry-run'], '1');
  assert.equal(client.counts().accepted, 0, 'a check is not a record');
});

test('passes on when it happened, and which rule excludes it', async (t) => {
  const server = await startTestServer(t);
  const client = new Trackside({ url: server.url, apiKey: testKey });
  const occurredAt = '2026-03-10T09:30:00.000Z';
  const Understood = { ...understood, OccurredAt: occurredAt, Excluded: 'path' };
  const Message = 'Excluded: the path matches /pricing';
  server.behave((response) => response.end(JSON.stringify({ Code: 200, Message, DryRun: true, Understood })));
  assert.partialDeepStrictEqual(await client.check(makeMetrics()), {
    kind: 'accepted',
    message: Message,
    understood: { occurredAt, excluded: 'path' },
  });
});

test('tells that a server without dry runs has taken the record', async (t) => {
  const server = await startTestServer(t);
  const client = new Trackside({ url: server.url, apiKey: testKey });
  server.behave(answer(200, 'Success'));
  const result = await client.check(makeMetrics());
  assert.equal(result.kind, 'unavailable');
  assert.match(result.message, /may have been counted: update Trackside/);
});

test('returns what is wrong with the key, the record or the connection', async (t) => {
  const server = await startTestServer(t);
  const client = new Trackside({ url: server.url, apiKey: testKey });
  server.behave(answer(401, 'Unauthorized'));
  assert.equal((await client.check(makeMetrics())).kind, 'unauthorized');
  const wrong = await client.check({ ...makeMetrics(), Language: { Code: 'deu' } });
  assert.equal(wrong.kind, 'malformed');
  await server.stop();
  assert.equal((await client.check(makeMetrics())).kind, 'unavailable');
});
