import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { openapiDocument } from '../src/http/server/openapi-document.ts';

const committed = readFileSync(new URL('../../contract/openapi.yaml', import.meta.url), 'utf8');

test('the committed OpenAPI document is what the schemas give now', () => {
  assert.equal(committed, openapiDocument(), 'run `npm run openapi` and commit contract/openapi.yaml');
});

test('the OpenAPI document says that attempts to sign in are counted and wait in a line', () => {
  const { paths } = parse(committed);
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
  const document = parse(committed);
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
  const { paths, components } = parse(committed);
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
  const { paths, components } = parse(committed);
  const answerOf = (path: string, method: string, status: number) =>
    paths[path][method].responses[status].content['application/json'].schema.$ref;
  assert.equal(answerOf('/api/stats/funnel', 'post', 200), '#/components/schemas/Funnel');
  assert.equal(answerOf('/api/websites/{id}/funnels', 'post', 201), '#/components/schemas/SavedFunnel');
  assert.deepEqual(components.schemas.Funnel.required, ['website', 'timezone', 'asOf', 'period', 'steps']);
  assert.deepEqual(components.schemas.SavedFunnel.required, ['id', 'name', 'steps', 'withinDays']);
});
