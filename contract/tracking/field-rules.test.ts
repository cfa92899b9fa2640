import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeValue } from './describe-value.ts';
import { ipAddress, orNull, screenPixels, spellRuleFault, textFromOneTo, textUpTo } from './field-rules.ts';

test('describes what was sent by its type and length only', () => {
  const told: [unknown, string][] = [
    [undefined, 'nothing'],
    [null, 'null'],
    [true, 'a boolean'],
    [1.5, 'a number'],
    ['', 'an empty string'],
    ['a', 'a string of 1 character'],
    ['😀', 'a string of 2 characters'],
    [[], 'an array of 0 elements'],
    [['a'], 'an array of 1 element'],
    [{ a: 1 }, 'an object'],
  ];
  for (const [value, words] of told) assert.equal(describeValue(value), words);
});

test('limits a text by its UTF-16 code units', () => {
  assert.equal(textUpTo(4)('😀😀'), undefined);
  assert.equal(
    spellRuleFault(textUpTo(4)('😀😀a')!),
    'expected a string of at most 4 characters, got a string of 5 characters',
  );
  assert.ok(textUpTo(4)(1));
});

test('requires visible characters where a text is required', () => {
  const rule = textFromOneTo(3);
  for (const text of ['a', ' a ', '\u0000']) assert.equal(rule(text), undefined);
  for (const text of ['', ' ', '\t\n\u00a0', '\u2003\u3000', 'abcd', null, 7]) assert.ok(rule(text));
});

test('accepts null and absence where a value is optional, and says that null would do', () => {
  const rule = orNull(textUpTo(2));
  assert.equal(rule(null), undefined);
  assert.equal(rule(undefined), undefined);
  assert.equal(spellRuleFault(rule(7)!), 'expected a string of at most 2 characters or null, got a number');
});

test('accepts addresses of both kinds without port, zone or brackets', () => {
  for (const ip of [
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '2001:DB8::1',
    '::ffff:203.0.113.7',
    '1:2:3:4:5:6:7:8',
  ])
    assert.equal(ipAddress(ip), undefined, ip);
  const wrong = [
    '',
    '1.2.3',
    '1.2.3.4:80',
    '[::1]',
    'fe80::1%eth0',
    '01.2.3.4',
    '256.1.1.1',
    ' 1.2.3.4',
    '1.2.3.4\n',
  ];
  for (const ip of [
    ...wrong,
    '１.2.3.4',
    '0x7f.1',
    '2130706433',
    ':::',
    '1::2::3',
    16909060,
    null,
    ['1.2.3.4'],
  ])
    assert.ok(ipAddress(ip), String(ip));
});

test('accepts a screen from 0 to 100,000 pixels, with fractions', () => {
  for (const pixels of [0, -0, 0.5, 1080, 100_000]) assert.equal(screenPixels(pixels), undefined);
  for (const pixels of [-0.1, 100_000.1, Number.POSITIVE_INFINITY, Number.NaN, '1080', null, undefined])
    assert.ok(screenPixels(pixels), String(pixels));
});
