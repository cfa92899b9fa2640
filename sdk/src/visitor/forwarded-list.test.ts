import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { elementsFromRight, pickFromRight, readPair } from './forwarded-list.ts';

const list = (value: string | undefined) => [...elementsFromRight(value)];

test('returns the elements from the right end, without the empty ones', () => {
  assert.deepEqual(list('a, b ,c'), ['c', 'b', 'a']);
  assert.deepEqual(list(', ,a,,b, '), ['b', 'a']);
  assert.deepEqual(list('  '), []);
  assert.deepEqual(list(undefined), []);
});

test('does not mistake a comma in quotes for the end of an element', () => {
  assert.deepEqual(list('for=a;host="x,y", for="b"'), ['for="b"', 'for=a;host="x,y"']);
  assert.deepEqual(list('host="x\\",y", b'), ['b', 'host="x\\",y"']);
  assert.deepEqual(list('host="x\\\\",y'), ['y', 'host="x\\\\"']);
});

test('finds what our proxy appended, whatever a client wrote before it', () => {
  const anything = fc.string({ unit: fc.constantFrom(...'",\\;= fora1'), maxLength: 40 });
  const ours = fc.constantFrom(
    '203.0.113.7',
    'for=203.0.113.7',
    'for="[2001:db8::1]:443";host="a,b;\\"c";proto=https',
  );
  fc.assert(
    fc.property(anything, ours, ours, (forged, outer, inner) => {
      assert.equal(pickFromRight(`${forged}, ${outer}, ${inner}`, 1), inner);
      assert.equal(pickFromRight(`${forged},${outer},${inner}`, 2), outer);
    }),
    { numRuns: 1000 },
  );
});

test('picks the leftmost where there are fewer than asked for', () => {
  assert.equal(pickFromRight('a, b', 3), 'a');
  assert.equal(pickFromRight('', 3), undefined);
});

test('reads pairs of Forwarded in any letter case, with and without quotes', () => {
  const element = 'For="[2001:db8::1]:4711" ; proto=https;host="shop.example";by=_x';
  assert.equal(readPair(element, 'for'), '[2001:db8::1]:4711');
  assert.equal(readPair(element, 'proto'), 'https');
  assert.equal(readPair(element, 'host'), 'shop.example');
  assert.equal(readPair(element, 'port'), undefined);
  assert.equal(readPair('for', 'for'), undefined);
  assert.equal(readPair('for="', 'for'), '"');
});

test('does not read a pair out of a quoted host', () => {
  assert.equal(readPair('host="x;for=6.6.6.6";for=203.0.113.7', 'for'), '203.0.113.7');
  assert.equal(readPair('host="x\\";for=6.6.6.6";for=203.0.113.7', 'for'), '203.0.113.7');
});
