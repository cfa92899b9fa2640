import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spellShare } from './spell-share.ts';

test('writes a share in whole percent', () => {
  assert.equal(spellShare(20_114, 48_213), '42%');
  assert.equal(spellShare(1, 1), '100%');
  assert.equal(spellShare(0, 5), '0%');
});

test('does not call a little nothing', () => {
  assert.equal(spellShare(1, 1_000), '<1%');
});

test('says nothing without a whole', () => {
  assert.equal(spellShare(5, undefined), '');
  assert.equal(spellShare(0, 0), '');
});

test('never says more than all, when the whole was counted a moment before', () => {
  assert.equal(spellShare(11, 10), '100%');
});
