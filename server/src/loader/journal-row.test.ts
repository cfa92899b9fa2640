import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earlierRecordColumns, recordColumns } from '../records/record-columns.ts';
import { JournalRow } from './journal-row.ts';

const values = ['2026-03-10', 4_294_967_295, '2026-03-10 09:00:00.123', '2026-03-10 10:00:00', 'page_view'];
const visitor = '18446744073709551615';
const wrap = (payload: unknown[]) => {
  const bytes = Buffer.from(`xx${JSON.stringify(payload)}yy`);
  return { bytes, start: 2, end: bytes.length - 2 };
};

test('reads what decides whether a row is wanted', () => {
  const row = new JournalRow(recordColumns);
  row.read(wrap([...values, visitor, true, 'a.test', '/漢字']));
  const { websiteId, day, receivedAt, visitorId, receivedAtMs } = row;
  assert.deepEqual(
    { websiteId, day, receivedAt, visitorId, receivedAtMs },
    {
      websiteId: 4_294_967_295,
      day: '2026-03-10',
      receivedAt: '2026-03-10 09:00:00.123',
      visitorId: visitor,
      receivedAtMs: Date.parse('2026-03-10T09:00:00.123Z'),
    },
  );
  row.read(
    wrap(['2026-03-11', 1, '2026-03-11 00:00:00.000', '2026-03-11 01:00:00', 'event', '5', false, 'b']),
  );
  assert.deepEqual([row.websiteId, row.day, row.visitorId], [1, '2026-03-11', '5']);
});

test('reads when a record happened, which is when it came for those of an earlier version', () => {
  const receivedAtMs = Date.parse('2026-03-10T09:00:00.123Z');
  const payload = recordColumns.map((_, at) => [...values, visitor][at] ?? '');
  const row = new JournalRow(recordColumns);
  row.read(wrap([...payload.slice(0, -2), 3, 90_000_123]));
  assert.deepEqual([row.receivedAtMs, row.occurredAtMs], [receivedAtMs, receivedAtMs - 90_000_123]);
  row.read(wrap([...payload.slice(0, -2), 3, 0]));
  assert.equal(row.occurredAtMs, receivedAtMs);
  for (const columns of earlierRecordColumns) {
    const earlier = new JournalRow(columns);
    earlier.read(wrap([...payload.slice(0, columns.length - 1), 65_535]));
    assert.equal(earlier.occurredAtMs, receivedAtMs);
  }
});

test('finds the visitor wherever the columns of an older segment have it', () => {
  const first = ['day', 'website_id', 'received_at'];
  const row = new JournalRow([...first, 'path', 'visitor_id']);
  row.read(wrap([...values.slice(0, 3), '/a","1', '77']));
  assert.equal(row.visitorId, '77');
  const lookalike = new JournalRow([...first, 'local_at', 'kind', 'count', 'visitor_id']);
  lookalike.read(wrap([...values, '12', '78']));
  assert.equal(lookalike.visitorId, '78');
});

test('a segment without visitors has none', () => {
  const row = new JournalRow(['day', 'website_id', 'received_at', 'text']);
  row.read(wrap([...values.slice(0, 3), 'record 1']));
  assert.equal(row.visitorId, '');
});
