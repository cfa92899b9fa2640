import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { spellActivityChange } from './spell-activity-change.ts';

const format = createFormat({ locale: 'en-US', timeZone: 'UTC' });
const nowMs = Date.parse('2026-11-16T12:00:00Z');
const spell = (visitors: number, visitorsBefore: number, createdAt = '2026-01-01T00:00:00Z') =>
  spellActivityChange({ visitors, visitorsBefore, byHour: [] }, { createdAt }, nowMs, format);

test('says how many more or fewer visitors there are', () => {
  assert.deepEqual(spell(112, 100), { text: '+12%', tone: 'good' });
  assert.deepEqual(spell(88, 100), { text: '−12%', tone: 'bad' });
  assert.deepEqual(spell(100, 100), { text: '0%', tone: 'even' });
  assert.deepEqual(spell(5_000, 1), { text: '> +999%', tone: 'good' });
});

test('shows nothing where there is nothing to compare with', () => {
  assert.equal(spell(12, 0), undefined);
  assert.equal(spell(12, 3, '2026-11-15T00:00:00Z'), undefined, 'the website is a day and a half old');
});
