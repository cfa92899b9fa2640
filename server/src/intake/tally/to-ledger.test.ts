import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebsiteTally } from '../../control/tally/tallies.ts';
import type { TallyCount } from '../../control/tally/tally-rows.ts';
import { readLedgerDays } from './read-ledger.ts';
import { toLedger } from './to-ledger.ts';

const at = (time: string) => Date.parse(`${time}:00Z`);
const place = { websiteId: 1, key: 'k', release: '' };
const count = (time: string, outcome: TallyCount['outcome'], records: number): TallyCount => ({
  ...place,
  hour: at(time),
  outcome,
  isNumbered: false,
  records,
});
const nothing: WebsiteTally = { counts: [], refusals: [], streams: [], since: undefined };
const asked = {
  keys: [],
  timezone: 'Europe/Berlin',
  from: '2026-03-10',
  to: '2026-03-11',
  nowMs: at('2026-03-20T00:00'),
};

test('days are those of the website, and an hour belongs to the day on which it begins', () => {
  const counts = [
    count('2026-03-09T22:00', 'accepted', 1),
    count('2026-03-09T23:00', 'accepted', 2),
    count('2026-03-10T22:00', 'refused', 4),
    count('2026-03-10T23:00', 'over_quota', 8),
    count('2026-03-11T23:00', 'accepted', 16),
  ];
  const { days, hours, totals } = toLedger({ ...asked, tally: { ...nothing, counts } });
  assert.deepEqual(
    days.map(({ day, sent }) => [day, sent]),
    [
      ['2026-03-10', 6],
      ['2026-03-11', 8],
    ],
  );
  assert.equal(totals.sent, 14);
  assert.equal(hours[0]?.hour, '2026-03-09T23:00:00.000Z');
  const long = toLedger({ ...asked, from: '2026-03-01', tally: { ...nothing, counts } });
  assert.deepEqual(long.hours, []);
});

test('names the keys that still work, the current one first', () => {
  const counts = [
    { ...count('2026-03-10T10:00', 'accepted', 9), key: 'old' },
    { ...count('2026-03-10T10:00', 'accepted', 5), key: 'gone' },
    { ...count('2026-03-10T10:00', 'accepted', 1), key: 'now' },
  ];
  const keys = [
    { id: 'old', masked: 'a…b', isCurrent: false },
    { id: 'now', masked: 'c…d', isCurrent: true },
  ];
  const ledger = toLedger({ ...asked, keys, tally: { ...nothing, counts } });
  assert.deepEqual(
    ledger.keys.map(({ id, masked, isCurrent }) => [id, masked, isCurrent]),
    [
      ['now', 'c…d', true],
      ['old', 'a…b', false],
      ['gone', null, false],
    ],
  );
});

test('a reason without a field is one that nothing more is known of', () => {
  const refusal = {
    ...place,
    hour: at('2026-03-10T10:00'),
    code: 400,
    field: '',
    expected: '',
    got: '',
    records: 3,
  };
  const [found] = toLedger({ ...asked, tally: { ...nothing, refusals: [refusal] } }).refusals;
  assert.deepEqual([found?.field, found?.expected, found?.got, found?.records], [null, null, null, 3]);
});

test('reads the days of a question, and says what is wrong with them', () => {
  const read = (question: { from?: string; to?: string }) =>
    readLedgerDays(question, 'Europe/Berlin', at('2026-03-10T23:30'));
  assert.deepEqual(read({}), { from: '2026-02-10', to: '2026-03-11' });
  assert.deepEqual(read({ to: '2026-03-02', from: '2026-03-01' }), { from: '2026-03-01', to: '2026-03-02' });
  for (const [question, says] of [
    [{ from: 'yesterday' }, /^from: expected a day/],
    [{ to: '2026-02-30' }, /^to: expected a day/],
    [{ from: '2026-03-12' }, /not after to/],
    [{ from: '2025-01-01' }, /at most 400 days, got/],
  ] as const) {
    const found = read(question);
    assert.ok('fault' in found);
    assert.match(found.fault, says);
  }
});
