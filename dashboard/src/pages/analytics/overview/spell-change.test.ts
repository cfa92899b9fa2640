import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import type { CardMetric } from '../view/view.ts';
import { overviewWords } from './overview-words.ts';
import { overviewWordsGerman } from './overview-words-german.ts';
import { spellChange } from './spell-change.ts';

const format = createFormat({ locale: 'en-GB', timeZone: 'UTC' });
const change = (metric: CardMetric, now: number | null, before: number | null) =>
  spellChange({ metric, now, before, format, words: overviewWords.change });

test('gives the change in percent', () => {
  assert.deepEqual(change('visitors', 1124, 1000), { text: '+12%', tone: 'good' });
  assert.deepEqual(change('visitDuration', 938, 1000), { text: '−6%', tone: 'bad' });
  assert.deepEqual(change('visitors', 2398, 1402), { text: '+71%', tone: 'good' });
  assert.deepEqual(change('visitors', 1000, 1000), { text: '0%', tone: 'even' });
});

test('shows no change when it rounds to zero', () => {
  assert.deepEqual(change('visitors', 100_001, 100_000), { text: '0%', tone: 'even' });
});

test('gives the change of a bounce rate in points, and less is better', () => {
  assert.deepEqual(change('bounceRate', 0.38, 0.42), { text: '−4 pts', tone: 'good' });
  assert.deepEqual(change('bounceRate', 0.43, 0.42), { text: '+1 pt', tone: 'bad' });
  assert.deepEqual(change('bounceRate', 0.421, 0.42), { text: '0 pts', tone: 'even' });
  assert.deepEqual(change('conversionRate', 0.031, 0.025), { text: '+0.6 pts', tone: 'good' });
  assert.equal(change('bounceRate', 0.4, null), undefined);
});

test('marks as new what was not there before', () => {
  assert.deepEqual(change('visitors', 7, 0), { text: 'New', tone: 'good' });
  assert.deepEqual(change('viewsPerVisit', 1.5, null), { text: 'New', tone: 'good' });
  assert.deepEqual(change('visitors', 0, 0), { text: '0%', tone: 'even' });
});

test('formats a change in the language of the page', () => {
  const german = createFormat({ locale: 'de-DE', timeZone: 'UTC' });
  const asked = { format: german, words: overviewWordsGerman.change };
  assert.equal(spellChange({ metric: 'visitors', now: 25, before: 2, ...asked })?.text, '+1.150\u00a0%');
  assert.equal(spellChange({ metric: 'bounceRate', now: 0.3, before: 0.4, ...asked })?.text, '−10 Pkt.');
});

test('shows no change when there is no current value', () => {
  assert.equal(change('viewsPerVisit', null, 1.5), undefined);
});

test('shortens large changes', () => {
  assert.deepEqual(change('visitors', 1240, 100), { text: '+1,140%', tone: 'good' });
  assert.deepEqual(change('visitors', 5_000_000, 1), { text: '> +9,999%', tone: 'good' });
});
