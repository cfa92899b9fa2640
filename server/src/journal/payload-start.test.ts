import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPayloadStart } from './payload-start.ts';
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
