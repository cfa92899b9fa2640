import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../test/support/long-form.ts';
import { createBoundedCache, createCachedReader } from './bounded-cache.ts';

test('returns what was put in', () => {
  const cache = createBoundedCache<number>({ maxEntries: 4 });
  cache.set('a', 1);
  assert.equal(cache.get('a'), 1);
  assert.equal(cache.get('b'), undefined);
});

test('forgets an unused key, and keeps the one in use', () => {
  const cache = createBoundedCache<number>({ maxEntries: 8 });
  cache.set('used', 1);
  cache.set('unused', 2);
  for (let i = 0; i < 100; i += 1) {
    cache.set(`filler-${i}`, i);
    assert.equal(cache.get('used'), 1);
  }
  assert.equal(cache.get('unused'), undefined);
});

test('never exceeds its bound and never returns a stale value, whatever happens', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 12 })), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), steps, (maxEntries, taken) => {
      const cache = createBoundedCache<number>({ maxEntries });
      const latest = new Map<string, number>();
      for (const [index, [isPut, key]] of taken.entries()) {
        if (isPut) {
          cache.set(`${key}`, index + 1);
          latest.set(`${key}`, index + 1);
        } else {
          const found = cache.get(`${key}`);
          if (found !== undefined) assert.equal(found, latest.get(`${key}`));
        }
        assert.ok(cache.size <= maxEntries);
      }
    }),
  );
});

test('never exceeds its size, and keeps nothing larger than that', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 12 })));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), steps, (maxSize, taken) => {
      const cache = createBoundedCache<{ size: number }>({ maxSize, sizeOf: ({ size }) => size });
      for (const [key, size] of taken) {
        const value = { size };
        cache.get(`${key}`);
        cache.set(`${key}`, value);
        assert.equal(cache.get(`${key}`), size <= maxSize ? value : undefined);
        assert.ok(cache.size <= maxSize);
        const kept = Array.from({ length: 13 }, (_, other) => cache.get(`${other}`)?.size ?? 0);
        assert.ok(kept.reduce((sum, one) => sum + one, 0) >= cache.size);
      }
    }),
    // Random draws rarely have a large value beside several small ones.
    { numRuns: times(200, 1000) },
  );
});

test('forgets a deleted key, whichever generation it is in', () => {
  const cache = createBoundedCache<number>({ maxEntries: 4 });
  for (const key of ['a', 'b', 'c']) cache.set(key, 1);
  cache.delete('a');
  cache.delete('c');
  assert.deepEqual(
    [cache.get('a'), cache.get('b'), cache.get('c'), cache.size],
    [undefined, 1, undefined, 1],
  );
});

test('a cached reader reads a known text once, but a long one or one without a value every time', () => {
  const read: string[] = [];
  const lengthOf = createCachedReader({
    maxEntries: 4,
    maxChars: 3,
    read: (text) => {
      read.push(text);
      return text === '?' ? undefined : text.length;
    },
  });
  const texts = ['abc', 'abc', 'abcd', 'abcd', '?', '?'];
  assert.deepEqual(texts.map(lengthOf), [3, 3, 4, 4, undefined, undefined]);
  assert.deepEqual(read, ['abc', 'abcd', 'abcd', '?', '?']);
});
