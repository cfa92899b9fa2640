import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox(randomBytes(32));

test('opens what it sealed, and seals the same value differently each time', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.string(), (plain, context) => {
      const sealed = box.seal(plain, context);
      assert.deepEqual(new Uint8Array(box.open(sealed, context)), plain);
      assert.notDeepEqual(box.seal(plain, context), sealed);
    }),
    { numRuns: 50 },
  );
});

test('refuses a sealed value with any one byte changed', () => {
  const sealed = box.seal(Buffer.from('secret'), 'here');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => box.open(changed, 'here'), /^Error: here: /);
  }
});

test('refuses a value that was cut short, moved elsewhere or sealed with another key', () => {
  const sealed = box.seal(Buffer.from('secret'), 'website 1');
  assert.throws(() => box.open(sealed.subarray(0, -1), 'website 1'), /has been changed/);
  assert.throws(() => box.open(sealed.subarray(0, 10), 'website 1'), /expected a sealed value/);
  assert.throws(() => box.open(sealed, 'website 2'), /cannot be decrypted/);
  assert.throws(() => createSecretBox(randomBytes(32)).open(sealed, 'website 1'), /cannot be decrypted/);
});

test('a pseudonym is the same for the same text, and different for another key or context', () => {
  const [box, other] = [createSecretBox(randomBytes(32)), createSecretBox(randomBytes(32))];
  assert.equal(box.pseudonym('203.0.113.7', 'address'), box.pseudonym('203.0.113.7', 'address'));
  const all = [
    box.pseudonym('a', 'x'),
    box.pseudonym('b', 'x'),
    box.pseudonym('a', 'y'),
    other.pseudonym('a', 'x'),
  ];
  assert.equal(new Set(all).size, 4);
});
