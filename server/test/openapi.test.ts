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
import { assertDocumented, assertListed } from './support/assert-documented.ts';
import { checkFetchedAnswers } from './support/check-fetched-answers.ts';
import { assertFits } from './support/strict-schema.ts';

const committed = readFileSync(new URL('../../contract/openapi.yaml', import.meta.url), 'utf8');
const document = parse(committed);

test('the committed OpenAPI document matches the schemas', () => {
  assert.equal(committed, openapiDocument(), 'run `npm run openapi` and commit contract/openapi.yaml');
});

test('the OpenAPI document lists what signing in can answer', () => {
  const { paths } = document;
  const statuses = ['200', '400', '401', '403', '405', '413', '415', '429', '503'];
  assert.deepEqual(Object.keys(paths['/api/session'].post.responses), statuses);
  assert.deepEqual(Object.keys(paths['/api/session/password'].put.responses), statuses);
  const { 401: wrong, 429: tooMany } = paths['/api/session'].post.responses;
  assert.equal(wrong.description, 'Incorrect email or password.');
  assert.deepEqual(Object.keys(tooMany.headers), ['Retry-After']);
});

test('the OpenAPI document describes both endpoints, with every field of the body', () => {
  assert.equal(document.openapi, '3.1.0');
  const { PageView, Event, Metrics } = document.components.schemas;
  assert.equal(PageView.properties.Metrics.$ref, '#/components/schemas/Metrics');
  assert.deepEqual(Object.keys(PageView.properties), ['Metrics', 'OccurredAt']);
  assert.deepEqual(PageView.required, ['Metrics']);
  assert.deepEqual(Object.keys(Event.properties), ['Metrics', 'Name', 'Parameters', 'OccurredAt']);
  assert.deepEqual(Event.required, ['Metrics', 'Name', 'Parameters']);
  assert.deepEqual(Object.keys(Metrics.properties), [
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
    const headers = document.paths[path].post.parameters as { name: string; in: string; required: boolean }[];
    assert.deepEqual(
      headers.map(({ name, in: place, required }) => [name, place, required]),
      [
        ['Idempotency-Key', 'header', false],
        ['Trackside-Attempt', 'header', false],
        ['Trackside-Dry-Run', 'header', false],
        ['Trackside-Sequence', 'header', false],
        ['Trackside-Release', 'header', false],
      ],
    );
  }
});

test('every object of an answer says which of its members are always there', () => {
  const { paths, components } = document;
  const seen = new Set<string>();
  const optional: string[] = [];
  const look = (schema: Record<string, unknown>, at: string): void => {
    if (typeof schema.$ref === 'string') {
      const [, , part, name] = schema.$ref.split('/') as [string, string, string, string];
      if (seen.has(name)) return;
      seen.add(name);
      if (part !== 'examples') look(components[part][name], name);
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
  const method = path === '/health' ? 'GET' : 'POST';
  const type = path.endsWith('batch') && status === 200 ? 'application/x-ndjson' : 'application/json';
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
  assertDocumented({ method, path, status, type, text });
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

test('the check of fetched answers refuses a status, a type and a success that the document does not list', () => {
  const json = 'application/json';
  const listed: [string, string, number, string | null][] = [
    ['POST', '/api/page-view', 429, json],
    ['POST', '/api/stats/query', 415, json],
    ['POST', '/api/stats/query', 200, 'text/csv; charset=utf-8'],
    ['PATCH', '/api/websites/12', 409, json],
    ['DELETE', '/api/websites/12/notes/3', 204, null],
    ['PUT', '/api/websites/12/funnels', 404, json],
    ['HEAD', '/health', 200, null],
    ['GET', '/api/page-view', 405, json],
    ['GET', '/elsewhere', 200, 'text/html'],
  ];
  for (const [method, path, status, type] of listed) assertListed({ method, path, status, type });
  const unlisted: [string, string, number, string | null, RegExp][] = [
    ['POST', '/api/page-view', 413, json, /413 of POST \/api\/page-view is not in the OpenAPI document/],
    ['GET', '/api/websites/12/notes', 409, json, /is not in the OpenAPI document/],
    ['GET', '/api/stats/query', 200, json, /a success that the OpenAPI document does not list/],
    ['POST', '/api/stats/query', 200, 'text/html', /lists application\/json,text\/csv/],
    ['POST', '/api/stats/query', 200, null, /has the type undefined/],
    ['DELETE', '/api/websites/12/notes/3', 204, json, /has the type application\/json/],
  ];
  for (const [method, path, status, type, fault] of unlisted)
    assert.throws(() => assertListed({ method, path, status, type }), fault);
});

test('a test that fetches an undocumented answer fails', async (t) => {
  const server = createServer((request, response) => {
    const answer = request.url === '/api/stats/live' ? live : { ...live, more: 1 };
    response.setHeader('Content-Type', 'application/json').setHeader('X-Content-Type-Options', 'nosniff');
    if (request.url === '/api/session') response.statusCode = 418;
    response.end(JSON.stringify(answer));
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
  const ask = (path: string) => fetch(`${origin}${path}`, { method: 'POST' });
  assert.deepEqual(await (await ask('/api/stats/live')).json(), live);
  await assert.rejects(ask('/api/stats/live?again'), /does not fit its schema/);
  await assert.rejects(ask('/api/session'), /418 of POST \/api\/session is not in the OpenAPI document/);
  assert.equal((await fetch(`${origin}/elsewhere`)).status, 200);
});

/** The parts of a document with a body: of each request, and of each success. */
const shown = Object.values<Record<string, Operation>>(document.paths)
  .flatMap((operations) => Object.values(operations))
  .flatMap(({ operationId, requestBody, responses }) => [
    { of: `the body of ${operationId}`, content: requestBody?.content ?? {} },
    ...Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, answer]) => ({
        of: `the answer ${status} of ${operationId}`,
        content: resolve(answer).content ?? {},
      })),
  ]);

type Content = Record<
  string,
  { schema: { $ref?: string; format?: string }; examples?: Record<string, object> }
>;
type Answer = { $ref?: string; content?: Content };
type Operation = { operationId: string; requestBody?: Answer; responses: Record<string, Answer> };

function resolve<Part extends { $ref?: string }>(part: Part): Part {
  if (part.$ref === undefined) return part;
  const [, , kind, name] = part.$ref.split('/') as [string, string, string, string];
  return document.components[kind][name];
}

/** Replaces every reference with what it refers to, for a validator that follows none. */
function inlined(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(inlined);
  const resolved = resolve(schema as { $ref?: string });
  return Object.fromEntries(Object.entries(resolved).map(([name, part]) => [name, inlined(part)]));
}

test('every request and every success that is JSON has an example, which fits its schema', () => {
  const compared = new Set<string>();
  for (const { of, content } of shown)
    for (const [type, { schema, examples }] of Object.entries(content)) {
      if (schema.$ref === undefined) {
        assert.match(type, /csv|ndjson|parquet/, of);
        continue;
      }
      const example = examples?.example as { $ref?: string; value?: unknown };
      assert.equal(example?.$ref, schema.$ref.replace('/schemas/', '/examples/'), of);
      if (compared.has(schema.$ref)) continue;
      compared.add(schema.$ref);
      assertFits(inlined(schema) as object, resolve(example).value, of);
    }
  assert.ok(compared.size > 60, `got ${compared.size} examples`);
});

test('every operation says who may send it, and what it is for', () => {
  const operations = Object.values<Record<string, Record<string, unknown>>>(document.paths).flatMap((one) =>
    Object.values(one),
  );
  for (const { operationId, security, description, summary } of operations) {
    assert.ok(Array.isArray(security), `${operationId} has no security`);
    assert.match(String(summary), /^[A-Z].*[^.]$/);
    assert.match(String(description), /^[A-Z].*\.$/);
  }
  assert.deepEqual(document.paths['/health'].get.security, []);
});

test('forms and questions refuse unknown members, and records ignore them', () => {
  for (const { of, content } of shown.filter((one) => one.of.startsWith('the body'))) {
    const schema = inlined(content['application/json']?.schema ?? {}) as { additionalProperties?: boolean };
    const isRecord = /sendPageView|sendEvent|sendBatch/.test(of);
    if (content['application/json'] !== undefined)
      assert.equal(schema.additionalProperties, isRecord ? undefined : false, of);
  }
});

test('the document has no construct that breaks client generators', () => {
  const found: string[] = [];
  const look = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as Record<string, unknown>;
    const type = [schema.type].flat();
    if ('const' in schema) found.push(`${at} has const`);
    const isNumber = type.includes('number') || type.includes('integer');
    if (isNumber && schema.enum === undefined && schema.format === undefined)
      found.push(`${at} has no format`);
    for (const [name, member] of Object.entries(schema)) look(member, `${at}.${name}`);
  };
  const { examples: _, ...components } = document.components;
  look({ paths: document.paths, components }, 'document');
  assert.deepEqual(found, []);
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
