import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { spellShare as spell } from './spell-share.ts';

const format = createFormat({ locale: 'en-US', timeZone: 'UTC' });
const spellShare = (value: number, total: number | undefined) => spell(value, total, format);

test('shows a share in whole percent', () => {
  assert.equal(spellShare(20_114, 48_213), '42%');
  assert.equal(spellShare(1, 1), '100%');
  assert.equal(spellShare(0, 5), '0%');
});

test('does not show a tiny share as zero', () => {
  assert.equal(spellShare(1, 1_000), '<1%');
});

test('writes the percent sign as the language does', () => {
  const german = createFormat({ locale: 'de-DE', timeZone: 'UTC' });
  assert.equal(spell(1, 4, german), '25\u00a0%');
  assert.equal(spell(1, 1_000, german), '<1\u00a0%');
});

test('shows nothing without a total', () => {
  assert.equal(spellShare(5, undefined), '');
  assert.equal(spellShare(0, 0), '');
});

test('never exceeds 100%, even if the total was counted a moment before', () => {
  assert.equal(spellShare(11, 10), '100%');
});
