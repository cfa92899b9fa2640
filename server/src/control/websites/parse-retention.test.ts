import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ControlError } from '../database/control-error.ts';
import { checkRetention, parseRetention } from './parse-retention.ts';

test('accepts days in digits, or forever', () => {
  assert.equal(parseRetention('1'), 1);
  assert.equal(parseRetention(' 365 '), 365);
  assert.equal(parseRetention('36500'), 36_500);
  assert.equal(parseRetention('Forever'), null);
  assert.equal(checkRetention(null), null);
  assert.equal(checkRetention(30), 30);
});

test('refuses anything else, and says what it expected', () => {
  for (const text of ['', '0', '36501', '-1', '1.5', '1e3', 'never', '30 days', '٣'])
    assert.throws(() => parseRetention(text), ControlError, text);
  for (const days of [0, -1, 1.5, Number.NaN, 36_501])
    assert.throws(() => checkRetention(days), ControlError);
  assert.throws(() => parseRetention('soon'), /from 1 to 36500, in digits only, or "forever", got "soon"/);
});
