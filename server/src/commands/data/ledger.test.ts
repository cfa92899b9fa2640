import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appExamples } from '@trackside/contract/app/examples.ts';
import { describeLedger } from './ledger.ts';

const ledger = appExamples.Ledger;

test('shows days, reasons and missing numbers as tables', () => {
  assert.equal(
    describeLedger('example.com', ledger),
    [
      'example.com, 2026-11-16 to 2026-11-16 (Europe/Berlin)',
      '',
      'Records refused, over quota or missing: 579 of 48210 (1.2%).',
      '',
      'day         sent   accepted  refused  excluded  over quota  missing  repeated',
      '2026-11-16  48210  47412     561      219       0           18       12',
      'all         48210  47412     561      219       0           18       12',
      '',
      'Reasons for refusals:',
      '561  Metrics.Page.Absolute  expected an absolute http or https URL of at most 8192 characters, got nothing',
      '',
      'Missing numbers, by stream and the hour they were due:',
      'web-1  17 to 34  2026-11-16T07:00:00.000Z',
    ].join('\n'),
  );
});

test('says that there are more reasons, and that some records were accepted later', () => {
  const [refusal] = ledger.refusals;
  const refusals = Array.from({ length: 12 }, () => ({ ...refusal!, records: 50 }));
  const text = describeLedger('a.test', { ...ledger, refusals });
  assert.match(
    text,
    /\nReasons for refusals, also of records that were accepted later:\n(50 .*\n){10}… and 2 more: --json has all of them\n/,
  );
});

test('says so when nothing was sent, or nothing went wrong', () => {
  const none = { sent: 0, accepted: 0, refused: 0, excluded: 0, overQuota: 0, missing: 0, repeated: 0 };
  const lists = { days: [], hours: [], refusals: [], releases: [], keys: [], gaps: [] };
  const empty = { ...ledger, ...lists, totals: none };
  assert.match(describeLedger('a.test', { ...empty, since: null }), /\nNothing has been sent yet\.$/);
  assert.match(describeLedger('a.test', empty), /\n\nNothing was sent in this period\.\n/);
  const fine = { ...empty, totals: { ...none, sent: 3, accepted: 3 } };
  assert.match(describeLedger('a.test', fine), /\n\nNo records were refused, over quota or missing\.\n/);
  const unnumbered = { ...fine, numbered: 0 };
  assert.match(describeLedger('a.test', unnumbered), /\n\nNo records were refused or over quota\.\n/);
});
