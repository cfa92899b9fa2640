import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCase } from './load-cases.ts';

const read = (request: object, more: object = {}) =>
  readCase(
    'refused/a-case.json',
    'refused',
    JSON.stringify({
      title: 'refuses it',
      about: 'Body',
      request: { method: 'POST', path: '/api/page-view', ...request },
      answer: { code: 400 },
      ...more,
    }),
  );

test('expands repeated text anywhere in a body', () => {
  const { request } = read({ body: { a: [{ $repeat: { before: 'x', text: 'ab', times: 2 } }] } });
  assert.equal(request.body?.toString(), '{"a":["xabab"]}');
});

test('expands members beside those that are written out', () => {
  const { request } = read({ body: { a: null, $members: { prefix: 'k', times: 2 } } });
  assert.equal(request.body?.toString(), '{"a":null,"k0":0,"k1":1}');
});

test('expands a time that is so long ago, in any timezone', () => {
  const { request } = read({
    body: [{ $ago: { seconds: 3600 } }, { $ago: { seconds: -60, offset: '-05:30' } }],
  });
  const [past, ahead] = JSON.parse(request.body!.toString()) as [string, string];
  assert.match(past, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(ahead.endsWith('-05:30'));
  const apartMs = Date.parse(ahead) - Date.parse(past);
  assert.ok(apartMs >= 3_660_000 && apartMs < 3_661_000);
});

test('joins the parts of a text body', () => {
  const { request } = read({ bodyText: ['<', { $repeat: { text: '[', times: 3 } }, '>'] });
  assert.equal(request.body?.toString(), '<[[[>');
});

test('keeps __proto__ as a member of the body', () => {
  const { request } = readCase(
    'refused/a-case.json',
    'refused',
    `{"title":"t","about":"Body","answer":{"code":400},
      "request":{"method":"POST","path":"/","body":{"__proto__":{"a":1}}}}`,
  );
  assert.equal(request.body?.toString(), '{"__proto__":{"a":1}}');
});

test('distinguishes an empty body from none', () => {
  assert.equal(read({ bodyText: '' }).request.body?.length, 0);
  assert.equal(read({}).request.body, undefined);
});

test('throws on an unknown member, at any level', () => {
  assert.throws(() => read({}, { tittle: 'x' }), /a-case\.json.*tittle/);
  assert.throws(() => read({ chunkd: true }), /chunkd/);
  assert.throws(() => read({}, { answer: { code: 400, sayz: ['x'] } }), /sayz/);
  assert.throws(() => read({ body: { $repaet: { text: 'a', times: 2 } } }), /\$repaet/);
  assert.throws(() => read({ body: { $repeat: { text: 'a', time: 2 } } }), /text and times/);
});

test('throws on two bodies and on a body of another size than announced', () => {
  assert.throws(() => read({ body: {}, bodyText: '{}' }), /one body/);
  assert.throws(() => read({ body: {}, bodyBytes: 3 }), /3 bytes, got 2/);
});

test('throws on a verdict that contradicts the folder', () => {
  assert.throws(() => read({}, { answer: { code: 200 } }), /got 200/);
  assert.throws(() => read({}, { stored: { city: 'Berlin' } }), /leaves no row/);
});
