import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRange } from './check-range.ts';
import { headWords } from './head-words.ts';

test('says what is wrong with a range', () => {
  const check = (from: string, to: string) => checkRange({ from, to }, '2026-11-15', headWords.range);
  assert.equal(check('2026-11-01', '2026-11-15'), undefined);
  assert.match(check('', '2026-11-15') ?? '', /both/);
  assert.match(check('2026-11-31', '2026-11-15') ?? '', /both/);
  assert.match(check('2026-11-05', '2026-11-01') ?? '', /after/);
  assert.match(check('2026-11-16', '2026-11-17') ?? '', /future/);
  assert.match(check('1990-01-01', '2026-11-01') ?? '', /20 years/);
});
