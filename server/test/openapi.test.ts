import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { funnelLimits } from '@trackside/contract/stats/funnel-limits.ts';
import * as limits from '@trackside/contract/stats/limits.ts';
import { parse } from 'yaml';
import { openapiDocument } from '../src/http/server/openapi-document.ts';
import { assertDocumented } from './support/assert-documented.ts';
import { checkFetchedAnswers } from './support/check-fetched-answers.ts';

const committed = readFileSync(new URL('../../contract/openapi.yaml', import.meta.url), 'utf8');
const document = parse(committed);

test('the committed OpenAPI document matches the schemas', () => {
  assert.equal(committed, openapiDocument(), 'run `npm run openapi` and commit contract/openapi.yaml');
});

test('the OpenAPI document says that attempts to sign in are counted and queued', () => {
  const { paths } = document;
  const statuses = (responses: object) => Object.keys(responses).filter((name) => name !== 'default');
  assert.deepEqual(statuses(paths['/api/session'].post.responses), [
    '200',
    '400',
    '401',
    '403',
    '429',
    '503',
  ]);
  const { responses } = paths['/api/session/password'].put;
  assert.deepEqual(statuses(responses), ['200', '400', '401', '403', '429', '503']);
});

test('the OpenAPI document describes both endpoints, with every field of the body', () => {
  assert.equal(document.openapi, '3.1.0');
  const { PageView, Event } = document.components.schemas;
  assert.deepEqual(Object.keys(Event.properties), ['Metrics', 'Name', 'Parameters']);
  assert.deepEqual(Object.keys(PageView.properties.Metrics.properties), [
    'Browser',
    'Identify',
    'Language',
    'Page',
    'Referrer',
    'Screen',
    'Location',
  ]);
  for (const path of ['/api/page-view', '/api/event-view']) {
    assert.deepEqual(Object.keys(document.paths[path].post.responses), [
      '200',
      '400',
      '401',
      '405',
      '429',
      '503',
    ]);
    const [key, ...others] = document.paths[path].post.parameters;
    assert.deepEqual([key.name, key.in, key.required, others], ['Idempotency-Key', 'header', false, []]);
  }
});

test('every object of an answer says which of its members are always there', () => {
  const { paths, components } = document;
  const seen = new Set<string>();
  const optional: string[] = [];
  const look = (schema: Record<string, unknown>, at: string): void => {
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.split('/').at(-1)!;
      if (seen.has(name)) return;
      seen.add(name);
      look(components.schemas[name], name);
      return;
    }
    const { properties, required } = schema as { properties?: object; required?: string[] };
    if (properties !== undefined && Object.keys(properties).length > 0 && !required?.length)
      optional.push(at);
    for (const [name, member] of Object.entries(schema))
      if (typeof member === 'object' && member !== null)
        look(member as Record<string, unknown>, `${at}.${name}`);
  };
  for (const operations of Object.values<Record<string, { responses: Record<string, unknown> }>>(paths))
    for (const { responses } of Object.values(operations))
      look(JSON.parse(JSON.stringify(responses)), 'responses');
  assert.ok(seen.has('Funnel') && seen.has('SavedFunnel') && seen.has('Counts'));
  assert.deepEqual(optional, []);
});

test('the numbers of a funnel and a saved funnel have different names', () => {
  const { paths, components } = document;
  const answerOf = (path: string, method: string, status: number) =>
    paths[path][method].responses[status].content['application/json'].schema.$ref;
  assert.equal(answerOf('/api/stats/funnel', 'post', 200), '#/components/schemas/Funnel');
  assert.equal(answerOf('/api/websites/{id}/funnels', 'post', 201), '#/components/schemas/SavedFunnel');
  assert.deepEqual(components.schemas.Funnel.required, [
    'website',
    'timezone',
    'asOf',
    'period',
    'visitorsAre',
    'steps',
  ]);
  assert.deepEqual(components.schemas.SavedFunnel.required, ['id', 'name', 'steps', 'withinDays']);
});

const about = { website: 'a.test', timezone: 'UTC', asOf: '2026-11-16T07:00:00.000Z' };
const live = { ...about, visitors: 1, minutes: [{ minutesAgo: 0, visitors: 1, pageViews: 2 }] };
const fault = { code: 401, fault: 'unauthorized', message: 'Unauthorized' };

const check = (path: string, status: number, ...values: object[]) => {
  const type = path.endsWith('batch') && status === 200 ? 'application/x-ndjson' : 'application/json';
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
  assertDocumented({ path, status, type, text });
};

test('the check of fetched answers accepts answers and faults that match the document', () => {
  check('/api/stats/live', 200, live);
  check('/api/stats/live', 401, fault);
  check('/api/stats/batch', 200, { index: 0, code: 200, answer: live }, { index: 1, ...fault, code: 400 });
  check('/health', 200, { code: 200, message: 'Accepting records', degraded: [] });
});

test('the check of fetched answers refuses one with a missing, extra or mistyped member', () => {
  const { visitors: _, ...without } = live;
  const wrong: [string, number, object][] = [
    ['/api/stats/live', 200, without],
    ['/api/stats/live', 200, { ...live, more: 1 }],
    ['/api/stats/live', 200, { ...live, minutes: [{ minutesAgo: 0, visitors: 1, pageViews: 2, more: 1 }] }],
    ['/api/stats/live', 200, { ...live, visitors: '1' }],
    ['/api/stats/live', 200, fault],
    ['/api/stats/live', 401, live],
    ['/api/stats/live', 401, { Code: 401, Message: 'Unauthorized', fault: 'unauthorized' }],
    ['/api/stats/live', 401, { ...fault, fault: 'nobody-knows' }],
    ['/api/stats/batch', 200, { index: 0, code: 200, answer: without }],
    ['/api/stats/batch', 200, { index: 0, code: 200, answer: { ...live, more: 1 } }],
    ['/health', 200, { Code: 200, Message: 'Accepting records', Degraded: [] }],
  ];
  for (const [path, status, value] of wrong)
    assert.throws(() => check(path, status, value), /does not fit its schema/, JSON.stringify(value));
});

test('a test that fetches an undocumented answer fails', async (t) => {
  const server = createServer((request, response) => {
    const answer = request.url === '/api/stats/live' ? live : { ...live, more: 1 };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const plainFetch = globalThis.fetch;
  checkFetchedAnswers();
  t.after(() => {
    globalThis.fetch = plainFetch;
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.deepEqual(await (await fetch(`${origin}/api/stats/live`)).json(), live);
  await assert.rejects(fetch(`${origin}/api/stats/live?again`), /does not fit its schema/);
  assert.equal((await fetch(`${origin}/elsewhere`)).status, 200);
});

test('statistics.md lists every limit of the contract', () => {
  const text = readFileSync(new URL('../../docs/statistics.md', import.meta.url), 'utf8');
  const section = /### Defaults, limits and rules\n(.*?)\n###? /s.exec(text)![1]!;
  const { maxBodyBytes, maxFilterBytes, pathsLimits, ...plain } = limits;
  const counts = [...Object.values(plain), ...Object.values(pathsLimits), ...Object.values(funnelLimits)];
  const shown = [...counts.map((count) => count.toLocaleString('en-US')), `${maxBodyBytes / 1024} KiB`];
  shown.push(`${maxFilterBytes / 1024} KiB`);
  const missing = shown.filter((one) => !new RegExp(`(?<![\\d,])${one}(?![\\d,]\\d)`).test(section));
  assert.deepEqual(missing, []);
});
