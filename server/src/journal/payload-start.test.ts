import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earlierRecordColumns, recordColumns } from '../records/record-columns.ts';
import { createTailReader, readPayloadStart } from './payload-start.ts';
import { payloadOf } from './test-journal.ts';

const read = (text: string) => {
  const bytes = Buffer.from(`before${text}behind`);
  return readPayloadStart({ bytes, start: 6, end: 6 + Buffer.byteLength(text) });
};

test('reads the day, website and time of receipt at the payload’s position', () => {
  assert.deepEqual(read(payloadOf(7, { day: '2024-02-29', websiteId: 4_294_967_295, text: '漢' })), {
    day: '2024-02-29',
    websiteId: 4_294_967_295,
    receivedAt: '2026-03-10 09:00:00.007',
  });
});

test('a frame that begins differently is a bug and throws', () => {
  for (const text of ['[]', '["2026-03-10","1","2026-03-10 09:00:00.007"]', '["2026-03-10",1']) {
    assert.throws(() => read(text), /does not begin with day, website and time of receipt/);
  }
});

test('reads the numbers at the end of a payload, as far as its version has them', () => {
  const readTail = (columns: readonly string[], column: 'received_order' | 'waited_ms', text: string) => {
    const bytes = Buffer.from(`before${text}behind`);
    return createTailReader(columns, column)?.({ bytes, start: 6, end: 6 + Buffer.byteLength(text) });
  };
  const [first, withOrder] = earlierRecordColumns;
  const payload = '["2026-03-10",["a,1","2"],"7",65535,86400000]';
  assert.equal(readTail(recordColumns, 'received_order', payload), 65_535);
  assert.equal(readTail(recordColumns, 'waited_ms', payload), 86_400_000);
  assert.equal(readTail(withOrder!, 'received_order', '["2026-03-10","7",12]'), 12);
  assert.equal(readTail(withOrder!, 'waited_ms', '["2026-03-10","7",12]'), undefined);
  assert.equal(readTail(first!, 'received_order', '["2026-03-10","7"]'), undefined);
  const later = [...recordColumns, 'text'];
  assert.equal(readTail(later, 'waited_ms', '["2026-03-10","7",12,5,"1,2"]'), undefined);
});
