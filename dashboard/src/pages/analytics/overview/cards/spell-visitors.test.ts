import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overviewWords } from '../overview-words.ts';
import { spellVisitors } from './spell-visitors.ts';

const spell = (are: Parameters<typeof spellVisitors>[0]) => spellVisitors(are, overviewWords);

test('marks a sum of daily visitors as such, and explains it', () => {
  assert.equal(spell('daily')?.note, 'with repeats');
  assert.match(spell('daily')!.about, /Each day’s visitors added up/);
  assert.equal(spell('mixed')?.note, 'incl. repeats');
  assert.match(spell('mixed')!.about, /with a ClientId count once/);
});

test('adds no note to distinct visitors', () => {
  assert.equal(spell('distinct'), undefined);
  assert.equal(spell(undefined), undefined);
});
