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

test('days are those of the website, and an hour belongs to the day on which it begins', async () => {
  const counts = [
    count('2026-03-09T22:00', 'accepted', 1),
    count('2026-03-09T23:00', 'accepted', 2),
    count('2026-03-10T22:00', 'refused', 4),
    count('2026-03-10T23:00', 'over_quota', 8),
    count('2026-03-11T23:00', 'accepted', 16),
  ];
  const { days, hours, totals } = await toLedger({ ...asked, tally: { ...nothing, counts } });
  assert.deepEqual(
    days.map(({ day, sent }) => [day, sent]),
    [
      ['2026-03-10', 6],
      ['2026-03-11', 8],
    ],
  );
  assert.equal(totals.sent, 14);
  assert.equal(hours[0]?.hour, '2026-03-09T23:00:00.000Z');
  const long = await toLedger({ ...asked, from: '2026-03-01', tally: { ...nothing, counts } });
  assert.deepEqual(long.hours, []);
});

test('names the keys that still work, the current one first', async () => {
  const counts = [
    { ...count('2026-03-10T10:00', 'accepted', 9), key: 'old' },
    { ...count('2026-03-10T10:00', 'accepted', 5), key: 'gone' },
    { ...count('2026-03-10T10:00', 'accepted', 1), key: 'now' },
  ];
  const keys = [
    { id: 'old', masked: 'a…b', isCurrent: false },
    { id: 'now', masked: 'c…d', isCurrent: true },
  ];
  const ledger = await toLedger({ ...asked, keys, tally: { ...nothing, counts } });
  assert.deepEqual(
    ledger.keys.map(({ id, masked, isCurrent }) => [id, masked, isCurrent]),
    [
      ['now', 'c…d', true],
      ['old', 'a…b', false],
      ['gone', null, false],
    ],
  );
});

test('a reason without a field is one that nothing more is known of', async () => {
  const refusal = {
    ...place,
    hour: at('2026-03-10T10:00'),
    code: 400,
    field: '',
    expected: '',
    got: '',
    records: 3,
  };
  const { refusals } = await toLedger({ ...asked, tally: { ...nothing, refusals: [refusal] } });
  const [found] = refusals;
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

test('lets others have the thread while many streams are read', async () => {
  const numbers = { accepted: Array.from({ length: 1000 }, (_, at) => [2 * at + 1, 2 * at + 1] as const) };
  const row = { key: 'k', release: '', hour: at('2026-03-10T10:00'), arrivals: 1000, numbers };
  const streams = Array.from({ length: 200 }, (_, stream) => ({
    stream: `s${stream}`,
    foldedTo: 0,
    rows: [row],
  }));
  let isReady = false;
  const ledger = toLedger({ ...asked, tally: { ...nothing, streams } }).finally(() => {
    isReady = true;
  });
  await new Promise<void>((resolve) => setImmediate(resolve));
  assert.ok(!isReady);
  assert.equal((await ledger).totals.accepted, 200_000);
});
