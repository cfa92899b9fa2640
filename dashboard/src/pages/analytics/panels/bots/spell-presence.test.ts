import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { reportsWords } from '../reports-words.ts';
import { spellPresence } from './spell-presence.ts';

const format = createFormat({ locale: 'en-GB', timeZone: 'America/New_York' });

test('shows a time for today and a date for earlier days, in the website’s timezone', () => {
  const today = '2026-11-14';
  const spell = (days: number, lastAt: string) =>
    spellPresence({ days, lastAt }, today, format, reportsWords.bots);
  assert.deepEqual(spell(28, '2026-11-14T00:02:11.000'), {
    note: 'on 28 days · last seen 00:02',
    shortNote: 'last seen 00:02',
  });
  assert.deepEqual(spell(1, '2026-11-03T23:59:00'), {
    note: 'on 1 day · last seen 3 Nov',
    shortNote: 'last seen 3 Nov',
  });
});
