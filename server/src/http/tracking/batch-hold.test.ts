import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatchHold } from './batch-hold.ts';
import { readTrackingHeaders } from './tracking-headers.ts';

const mebibyte = 2 ** 20;
const plain = (bytes: number) => readTrackingHeaders(['Content-Length', String(bytes)]);
const gzip = readTrackingHeaders(['Content-Length', '100', 'Content-Encoding', 'gzip']);
const chunked = readTrackingHeaders(['Transfer-Encoding', 'chunked']);

/** Holds as many batches as there is room for. */
function fill(hold: ReturnType<typeof createBatchHold>, headers: ReturnType<typeof plain>) {
  const held: (() => void)[] = [];
  for (let next = hold(headers); typeof next === 'function'; next = hold(headers)) held.push(next);
  return held;
}

test('holds batches up to a limit, by their announced length or by the most that they can have', () => {
  assert.equal(fill(createBatchHold(), plain(mebibyte)).length, 64);
  assert.equal(fill(createBatchHold(), plain(mebibyte / 4)).length, 256);
  for (const unknown of [gzip, chunked]) assert.equal(fill(createBatchHold(), unknown).length, 16);
});

test('says why there is no room, and has room again when a batch is let go, once', () => {
  const hold = createBatchHold();
  const [first] = fill(hold, gzip);
  const refused = hold(plain(100));
  assert.ok(typeof refused === 'object');
  assert.equal(refused.refused, 'batches-full');
  first!();
  first!();
  assert.equal(fill(hold, gzip).length, 1);
});
