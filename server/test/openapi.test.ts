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
  const statuses = (responses: object) => Object.keys(responses);
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
