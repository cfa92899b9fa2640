import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exclusion, ExclusionKind } from './exclusion-kinds.ts';
import { readExclusionValue } from './exclusions.ts';

const read = (kind: ExclusionKind, value: string) => readExclusionValue({ kind, value } satisfies Exclusion);

test('every value has one spelling', () => {
  const spelled: [ExclusionKind, string, string][] = [
    ['network', ' 203.0.113.77/24 ', '203.0.113.0/24'],
    ['network', '203.0.113.7/32', '203.0.113.7'],
    ['network', '::ffff:203.0.113.9/120', '203.0.113.0/24'],
    ['network', '2001:DB8:0:0::1/33', '2001:db8::/33'],
    ['network', '2001:db8::1', '2001:db8::1'],
    ['host', 'WWW.Example.COM.', 'example.com'],
    ['host', '*.Müller.example', '*.xn--mller-kva.example'],
    ['own-host', '127.0.0.1', '127.0.0.1'],
    ['own-host', '[::1]', '[::1]'],
    ['path', ' /admin/* ', '/admin/*'],
    ['query', 'preview', 'preview'],
    ['event', 'Sign up*', 'Sign up*'],
    ['user-agent', 'Headless Chrome', 'Headless Chrome'],
  ];
  for (const [kind, value, expected] of spelled) assert.equal(read(kind, value), expected, value);
});

test('refuses what cannot match, or would match nearly everything by a slip', () => {
  const wrong: [ExclusionKind, string][] = [
    ['network', ''],
    ['network', '203.0.113.0/33'],
    ['network', '203.0.113/24'],
    ['network', '0.0.0.0/0'],
    ['network', '10.0.0.0/7'],
    ['network', '::/0'],
    ['network', '2001::/15'],
    ['network', 'fe80::1%eth0'],
    ['host', 'https://a.test'],
    ['host', 'a.test:8080'],
    ['host', 'a.test/x'],
    ['host', '*'],
    ['host', '*.'],
    ['host', 'a.*.test'],
    ['host', '7'],
    ['own-host', 'user@a.test'],
    ['path', 'admin'],
    ['path', '*'],
    ['path', '/admin?x'],
    ['path', '/#/admin'],
    ['query', 'a=b'],
    ['query', 'a b'],
    ['query', 'utm_*'],
    ['event', ' '],
    ['event', 'a\nb'],
    ['event', 'x'.repeat(257)],
    ['user-agent', 'ab'],
  ];
  for (const [kind, value] of wrong) assert.equal(read(kind, value), undefined, `${kind} ${value}`);
});
