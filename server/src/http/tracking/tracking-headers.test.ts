import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTrackingHeaders } from './tracking-headers.ts';

test('finds the headers in any letter case and skips others of the same length', () => {
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
    'Accept-Encoding',
    'gzip',
    'IDEMPOTENCY-key',
    'k1',
    'Trackside-ATTEMPT',
    '1',
    'trackside-attempt',
    '2',
    'Trackside-Dry-RUN',
    '1',
    'trackside-RELEASE',
    '1.42',
    'Trackside-Sequence',
    'web-1.7',
    'trackside-sequence',
    'web-1.8',
  ];
  assert.deepEqual(readTrackingHeaders(raw), {
    authorization: 'key',
    contentLength: '12',
    contentEncoding: undefined,
    expect: '100-continue',
    idempotencyKey: 'k1',
    attempt: '1, 2',
    dryRun: '1',
    sequence: ['web-1.7', 'web-1.8'],
    release: '1.42',
  });
});

test('takes the first of two keys, and combines encodings', () => {
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

test('counts how often an idempotency key was sent', () => {
  const keyOf = (...raw: string[]) => readTrackingHeaders(raw).idempotencyKey;
  assert.equal(keyOf('Idempotency-Key', ''), '');
  assert.deepEqual(keyOf('Idempotency-Key', 'a', 'idempotency-key', 'a'), ['a', 'a']);
  assert.deepEqual(keyOf('Idempotency-Key', '', 'idempotency-key', '', 'Idempotency-Key', 'c'), [
    '',
    '',
    'c',
  ]);
});

test('finds nothing where nothing was sent', () => {
  assert.deepEqual(new Set(Object.values(readTrackingHeaders([]))), new Set([undefined]));
});
