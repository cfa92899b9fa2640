import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTrackingHeaders } from './tracking-headers.ts';

test('finds the headers in any letter case and passes over others of the same length', () => {
  const raw = [
    'Host',
    'x',
    'AUTHORIZATION',
    'key',
    'If-None-Match',
    'no',
    'content-Length',
    '12',
    'Expect',
    '100-continue',
  ];
  assert.deepEqual(readTrackingHeaders(raw), {
    ...{ authorization: 'key', contentLength: '12', contentEncoding: undefined, expect: '100-continue' },
  });
});

test('takes the first of two keys, and adds up encodings', () => {
  const raw = [
    'Authorization',
    'a',
    'authorization',
    'b',
    'Content-Encoding',
    'gzip',
    'content-encoding',
    'br',
  ];
  const { authorization, contentEncoding } = readTrackingHeaders(raw);
  assert.deepEqual([authorization, contentEncoding], ['a', 'gzip, br']);
});

test('knows nothing where nothing came', () => {
  assert.deepEqual(Object.values(readTrackingHeaders([])), [undefined, undefined, undefined, undefined]);
});
