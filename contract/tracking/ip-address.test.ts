import assert from 'node:assert/strict';
import { isIP, isIPv6 } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { isIpAddress, isIpv6Address } from './ip-address.ts';

const group = fc.oneof(
  fc.stringMatching(/^[0-9a-fA-F]{0,5}$/),
  fc.ipV4(),
  fc.constantFrom('', '0', '256.1.1.1'),
);
const almost = fc.array(group, { minLength: 1, maxLength: 10 }).map((groups) => groups.join(':'));
const digits = fc.array(fc.nat({ max: 300 }), { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.'));

test('accepts the addresses that the system accepts, and no others', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), almost, digits, fc.string()), (text) => {
      assert.equal(isIpAddress(text), isIP(text) !== 0 && !text.includes('%'), text);
      assert.equal(isIpv6Address(text), isIPv6(text) && !text.includes('%'), text);
    }),
    { numRuns: 5000 },
  );
});
