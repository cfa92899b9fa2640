import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOrigin } from './find-origin.ts';

const release = (name: string | null, day: number, sent = 1_000) => ({
  release: name,
  firstAt: `2026-11-${day}T09:00:00.000Z`,
  sent,
});
const refusal = (...releases: [name: string | null, records: number][]) => ({
  releases: releases.map(([name, records]) => ({ release: name, records, sent: 1_000 })),
});

test('names the first release that has the reason, and counts from it on', () => {
  const releases = [release('1.43', 16), release('1.42', 14), release('1.41', 11)];
  assert.deepEqual(findOrigin(refusal(['1.43', 10], ['1.42', 40]), releases), {
    release: '1.42',
    records: 50,
    sent: 2_000,
  });
});

test('counts a later release without the reason', () => {
  const releases = [release('1.43', 16), release('1.42', 14), release('1.41', 11)];
  assert.deepEqual(findOrigin(refusal(['1.42', 40]), releases), {
    release: '1.42',
    records: 40,
    sent: 2_000,
  });
});

test('names none if the oldest release has the reason, too', () => {
  const releases = [release('1.42', 14), release('1.41', 11)];
  assert.equal(findOrigin(refusal(['1.42', 40], ['1.41', 1]), releases), undefined);
});

test('names none if both began in the same hour', () => {
  const releases = [release('1.42', 14), release('1.41', 14)];
  assert.equal(findOrigin(refusal(['1.42', 40]), releases), undefined);
});

test('names none for records without a release', () => {
  assert.equal(findOrigin(refusal([null, 40]), [release(null, 14), release('1.41', 11)]), undefined);
  assert.equal(findOrigin(refusal(['1.41', 40]), []), undefined);
});
