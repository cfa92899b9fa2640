import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Journal } from '../journal/open-journal.ts';
import { append, damage, openTestJournal, payloadOf, payloads, useFolders } from '../journal/test-journal.ts';
import { BatchBody } from './batch-body.ts';
import { nextStretch, readBatch } from './read-batch.ts';
import { readRows } from './read-rows.ts';

const makeFolder = useFolders();
const unlimited = { maxRows: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

function readFrom(journal: Journal, changes: Partial<Parameters<typeof readBatch>[0]> = {}) {
  const { number, firstFrame, end, columns } = journal.segments()[0]!;
  return readBatch({
    folder: journal.folder,
    node: 'n1',
    batch: 7,
    columns,
    segment: number,
    from: firstFrame,
    to: end,
    limits: unlimited,
    isWanted: () => true,
    into: new BatchBody(),
    ...changes,
  });
}

async function openFilled(t: Parameters<typeof openTestJournal>[0], texts: readonly string[]) {
  const journal = await openTestJournal(t, await makeFolder());
  await Promise.all(texts.map((text) => append(journal, text)));
  return journal;
}

const lines = (body: Buffer) => body.toString('utf8').split('\n').slice(0, -1);
const withBatch = (texts: readonly string[], batch = 7) =>
  texts.map((text) => `["n1",${batch},${text.slice(1)}`);

test('copies payloads byte for byte, with node and batch before and a newline after', async (t) => {
  const texts = [payloadOf(1, { text: '漢字 "quoted"\n🛤' }), payloadOf(2)];
  const read = await readFrom(await openFilled(t, texts));
  assert.equal(read.body.toString('utf8'), `${withBatch(texts).join('\n')}\n`);
  assert.deepEqual(read.columns, ['node', 'batch', 'day', 'website_id', 'received_at', 'text']);
  assert.equal(read.rows, 2);
});

test('decodes addresses, and loads the other values byte for byte', async (t) => {
  const columns = ['day', 'website_id', 'received_at', 'host', 'path', 'query'];
  const journal = await openTestJournal(t, await makeFolder(), { columns });
  const rowOf = (...address: string[]) =>
    JSON.stringify([...JSON.parse(payloadOf(1)).slice(0, 3), ...address]);
  await append(journal, rowOf('xn--mller-kva.test', '/caf%c3%a9', 'q=%c3%a9'));
  await append(journal, rowOf('a.test', '/', 'q=%c3%a9'));
  const { body, rows } = await readFrom(journal);
  assert.deepEqual(
    lines(body),
    withBatch([rowOf('müller.test', '/café', 'q=%c3%a9'), rowOf('a.test', '/', 'q=%c3%a9')]),
  );
  assert.equal(rows, 2);
});

test('counts rows by month, and knows the first and the last time of receipt', async (t) => {
  const journal = await openFilled(t, [
    payloadOf(1, { day: '2026-02-28' }),
    payloadOf(2, { day: '2026-03-01' }),
    payloadOf(3, { day: '2026-02-28' }),
    payloadOf(4, { day: '2025-12-31' }),
  ]);
  const { firstFrame, end } = journal.segments()[0]!;
  assert.deepEqual((await readFrom(journal)).entry, {
    batch: 7,
    segment: 1,
    from: firstFrame,
    to: end,
    months: { '202602': 2, '202603': 1, '202512': 1 },
    firstReceivedAt: '2026-03-10 09:00:00.001',
    lastReceivedAt: '2026-03-10 09:00:00.004',
  });
});

test('takes at most as many rows as allowed, and the next batch continues after them', async (t) => {
  const journal = await openFilled(t, payloads(10));
  const read: string[] = [];
  let from = journal.segments()[0]!.firstFrame;
  for (const expected of [4, 4, 2]) {
    const { body, rows, entry } = await readFrom(journal, { from, limits: { ...unlimited, maxRows: 4 } });
    assert.equal(rows, expected);
    assert.equal(entry.from, from);
    read.push(...lines(body));
    from = entry.to;
  }
  assert.equal(from, journal.segments()[0]!.end);
  assert.deepEqual(read, withBatch(payloads(10)));
});

test('takes no further row once the batch has as many bytes as allowed', async (t) => {
  const texts = Array.from({ length: 20 }, (_, index) => payloadOf(index, { text: 'x'.repeat(50_000) }));
  const journal = await openFilled(t, texts);
  const read: string[] = [];
  let from = journal.segments()[0]!.firstFrame;
  while (from < journal.segments()[0]!.end) {
    const { body, rows, entry } = await readFrom(journal, {
      from,
      limits: { ...unlimited, maxBytes: 120_000 },
    });
    assert.ok(rows <= 3 && body.length < 200_000, `${rows} rows`);
    read.push(...lines(body));
    from = entry.to;
  }
  assert.equal(read.join() === withBatch(texts).join(), true);
});

test('leaves out unwanted rows, and continues after them', async (t) => {
  const texts = [1, 2, 1, 2, 2].map((websiteId, index) => payloadOf(index, { websiteId }));
  const journal = await openFilled(t, texts);
  const read = await readFrom(journal, { isWanted: ({ websiteId }) => websiteId === 1 });
  assert.deepEqual(lines(read.body), withBatch([texts[0]!, texts[2]!]));
  assert.deepEqual(read.entry.months, { '202603': 2 });
  assert.equal(read.entry.to, journal.segments()[0]!.end);
  const none = await readFrom(journal, { isWanted: () => false });
  assert.deepEqual([none.rows, none.body.length, none.entry.months], [0, 0, {}]);
  assert.equal(none.entry.to, journal.segments()[0]!.end);
});

test('takes only the requested months', async (t) => {
  const texts = ['2026-02-28', '2026-03-01', '2026-02-27'].map((day, index) => payloadOf(index, { day }));
  const read = await readFrom(await openFilled(t, texts), { onlyMonths: new Set(['202602']) });
  assert.deepEqual(lines(read.body), withBatch([texts[0]!, texts[2]!]));
  assert.deepEqual(read.entry.months, { '202602': 2 });
});

test('skips damage, and counts it in one batch only', async (t) => {
  const journal = await openFilled(t, payloads(10));
  const { firstFrame, end } = journal.segments()[0]!;
  const size = 8 + payloadOf(1).length;
  await damage(journal.folder, 1, (bytes) => bytes.fill(0, firstFrame + 5 * size, firstFrame + 6 * size));
  const limits = { ...unlimited, maxRows: 2 };
  const damaged: number[] = [];
  const read: string[] = [];
  for (let from = firstFrame; from < end; ) {
    const batch = await readFrom(journal, { from, limits });
    damaged.push(batch.damagedBytes);
    read.push(...lines(batch.body));
    from = batch.entry.to;
  }
  assert.deepEqual(read, withBatch(payloads(10).toSpliced(5, 1)));
  assert.equal(
    damaged.reduce((sum, bytes) => sum + bytes, 0),
    size,
  );
});

test('an unreadable end leaves the batch at the end of the last whole frame', async (t) => {
  const journal = await openFilled(t, payloads(3));
  const { firstFrame, end } = journal.segments()[0]!;
  const size = 8 + payloadOf(1).length;
  await damage(journal.folder, 1, (bytes) => bytes.fill(0, firstFrame + 2 * size));
  const read = await readFrom(journal);
  assert.equal(read.rows, 2);
  assert.equal(read.entry.to, firstFrame + 2 * size);
  const rest = await readFrom(journal, { from: read.entry.to, to: end });
  assert.deepEqual([rest.rows, rest.entry.to], [0, read.entry.to]);
});

test('the next stretch begins after a place, or with the next segment that has records', () => {
  const columns = ['day'];
  const segments = [
    { number: 3, columns, firstFrame: 100, end: 500 },
    { number: 4, columns, firstFrame: 100, end: 100 },
    { number: 6, columns, firstFrame: 120, end: 900 },
  ];
  const next = (segment: number, offset: number) => nextStretch(segments, { segment, offset });
  assert.deepEqual(next(0, 0), { segment: 3, columns, from: 100, to: 500 });
  assert.deepEqual(next(3, 0), { segment: 3, columns, from: 100, to: 500 });
  assert.deepEqual(next(3, 300), { segment: 3, columns, from: 300, to: 500 });
  assert.deepEqual(next(3, 500), { segment: 6, columns, from: 120, to: 900 });
  assert.deepEqual(next(5, 999), { segment: 6, columns, from: 120, to: 900 });
  assert.equal(next(6, 900), undefined);
  assert.equal(next(7, 0), undefined);
  assert.equal(nextStretch([], { segment: 0, offset: 0 }), undefined);
});

test('a note is no gap and no row, and notes alone make an empty batch', async (t) => {
  const journal = await openTestJournal(t, await makeFolder());
  const note = () => new Promise((resolve) => journal.appendVerdict({ a: 1 }, resolve));
  await note();
  const alone = await readFrom(journal);
  assert.deepEqual([alone.rows, alone.gaps, alone.entry.to], [0, [], journal.segments()[0]!.end]);
  await append(journal, payloadOf(1));
  await note();
  const read = await readFrom(journal);
  assert.deepEqual(lines(read.body), withBatch([payloadOf(1)]));
  assert.deepEqual([read.rows, read.gaps, read.entry.to], [1, [], journal.segments()[0]!.end]);
  const { rows, gaps } = await readRows(journal.folder, journal.segments()[0]!, () => true);
  assert.deepEqual([rows.length, gaps], [1, []]);
});
