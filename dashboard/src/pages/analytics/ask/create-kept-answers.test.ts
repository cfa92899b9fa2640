import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answers } from '@trackside/contract/stats/answers.ts';
import { createKeptAnswers } from './create-kept-answers.ts';

const answer = (asOf: string) => ({ asOf }) as Answers['query'];

test('keeps the answers that were looked at last, and tells how old they are', () => {
  let now = 0;
  const kept = createKeptAnswers({ most: 2, now: () => now });
  kept.put('a', answer('1'));
  kept.put('b', answer('2'));
  now = 500;
  assert.equal(kept.ageMs(kept.get('a')!), 500);
  kept.put('c', answer('3'));
  assert.equal(kept.get('b'), undefined);
  assert.equal(kept.get('a')?.answer.asOf, '1');
  kept.put('a', answer('4'));
  assert.equal(kept.get('a')?.answer.asOf, '4');
  assert.equal(kept.get('c')?.answer.asOf, '3');
});
