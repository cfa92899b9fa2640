import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { recordColumns } from '../../src/records/record-columns.ts';
import type { ExportFormat } from '../../src/store/export/export-format.ts';
import { exportColumns } from '../../src/store/export-records.ts';
import { harmlessText } from '../../src/text/harmless-text.ts';
import { isLongForm, testLong } from '../support/long-form.ts';
import { untilReady } from '../support/test-engine.ts';
import { openTestStore, tableOfRows } from '../support/test-store.ts';

// There is only one session for questions, so an export that kept it would show at once.
const { engine, store, close } = await openTestStore({ sessions: 1 });
after(close);

type Row = Record<(typeof exportColumns)[number], unknown>;

const columns = ['node', 'batch', ...recordColumns];

async function insert(websiteId: number, rows: readonly Row[]): Promise<void> {
  const lines = rows.map((row) => {
    const values: Record<string, unknown> = { ...row, node: 'n1', batch: 1, website_id: websiteId };
    return `${JSON.stringify(columns.map((column) => values[column]))}\n`;
  });
  const body = Buffer.from(lines.join(''));
  await store.insertBatch({ columns, body, rows: rows.length, queryId: `test-${Math.random()}` });
}

function recordOf(changes: Partial<Row>): Row {
  const empty = Object.fromEntries(exportColumns.map((column) => [column, ''])) as Row;
  return {
    ...empty,
    day: '2026-03-01',
    received_at: '2026-03-01 10:00:00.123',
    local_at: '2026-03-01 11:00:00',
    kind: 'page_view',
    visitor_id: '18446744073709551615',
    has_client_id: false,
    is_bot: false,
    screen_width: 1920,
    screen_height: 1080,
    parameter_names: [],
    parameter_values: [],
    device_id: '18446744073709551614',
    received_order: 7,
    waited_ms: 90_000_000,
    ...changes,
  };
}

const oddTexts = [
  '😀',
  '"',
  '""',
  `it's "x"`,
  'two\nlines',
  '\r\n',
  ',',
  '\\',
  '\\n',
  '\t',
  '=1+1',
  '\\N',
  '</',
];
const oddOnes = [
  ...oddTexts.map((odd, index) =>
    recordOf({
      visitor_id: String(index),
      path: odd,
      query: odd,
      city: odd,
      kind: 'event',
      event_name: odd,
      parameter_names: [odd, odd, ''],
      parameter_values: ['', odd, `${odd}${odd}`],
    }),
  ),
  recordOf({ city: 'x'.repeat(250), country: 'DE' }),
  // So large that the slice after it is a small one.
  recordOf({ query: 'x'.repeat(60_000) }),
  recordOf({ city: 'ü'.repeat(250), is_bot: true, bot: 'GPTBot', has_client_id: true }),
];

/**
 * A day with more than one slice. One visitor has most of its records, many of them in the same millisecond.
 */
const busyDay = Array.from({ length: 8_000 }, (_, index) =>
  recordOf({
    day: '2026-03-02',
    visitor_id: index % 4 === 0 ? String(1_000_000_007n * BigInt(index)) : '9007199254740993',
    received_at: timeOf(index % 7, index % 900),
    path: `/page/${index}`,
  }),
);

function timeOf(second: number, ms: number): string {
  return `2026-03-02 10:00:${String(second).padStart(2, '0')}.${String(ms).padStart(3, '0')}`;
}

const quietDays = Array.from({ length: 40 }, (_, index) =>
  recordOf({
    day: new Date(Date.UTC(2026, 3, 1 + index)).toISOString().slice(0, 10),
    path: `/quiet/${index}`,
  }),
);
const shop = [...oddOnes, ...busyDay, ...quietDays];
const neighbour = Array.from({ length: 1_000 }, (_, index) =>
  recordOf({ day: '2026-03-02', visitor_id: String(index), path: '/secret of another website' }),
);

before(async () => {
  await insert(1, shop);
  await insert(2, neighbour);
});

/** Sorts the rows, because the store has no order between some of the records. */
const asSet = (rows: readonly Row[]) =>
  rows.map((row) => JSON.stringify(exportColumns.map((column) => row[column]))).toSorted();

function assertSame(found: readonly Row[], expected: readonly Row[]): void {
  assert.equal(found.length, expected.length);
  const [foundSet, expectedSet] = [asSet(found), asSet(expected)];
  const wrong = foundSet.findIndex((row, index) => row !== expectedSet[index]);
  assert.equal(foundSet[wrong], expectedSet[wrong]);
  assert.ok(isInOrder(found), 'expected the records by day, visitor and time');
}

function isInOrder(rows: readonly Row[]): boolean {
  const keys = rows.map(
    ({ day, visitor_id, received_at }) => `${day} ${String(visitor_id).padStart(20, '0')} ${received_at}`,
  );
  return keys.every((key, index) => index === 0 || keys[index - 1]! <= key);
}

type Period = { from?: string; to?: string };
const exporting = (websiteId: number, format: ExportFormat, period: Period = {}) =>
  store.ofWebsite(websiteId).exportRecords({ format, isRaw: true, ...period });

const readers: Record<ExportFormat, (stream: Readable) => Promise<Row[]>> = {
  async csv(stream) {
    const [header, ...lines] = readCsv(await text(stream));
    assert.deepEqual(header, exportColumns);
    return lines.map((cells) => {
      const row = Object.fromEntries(exportColumns.map((column, index) => [column, cells[index]])) as Row;
      for (const column of ['has_client_id', 'is_bot'] as const) row[column] = row[column] === 'true';
      for (const column of ['screen_width', 'screen_height', 'received_order', 'waited_ms'] as const)
        row[column] = Number(row[column]);
      for (const column of ['parameter_names', 'parameter_values'] as const)
        row[column] = JSON.parse(String(row[column]));
      return row;
    });
  },
  async ndjson(stream) {
    return readLines(await text(stream));
  },
  async parquet(stream) {
    const bytes = await buffer(stream);
    assert.deepEqual([String(bytes.subarray(0, 4)), String(bytes.subarray(-4))], ['PAR1', 'PAR1']);
    const file = join(mkdtempSync(join(engine.root, 'parquet-')), 'out.parquet');
    writeFileSync(file, bytes);
    const types = await engine.request('/', {
      body: `describe table file('${file}', Parquet) format JSONEachRow`,
    });
    assert.deepEqual(
      types.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
      exportColumns,
    );
    // The file has local_at with milliseconds, and the store has it in seconds.
    const query = `select * replace (toDateTime(local_at, 'UTC') as local_at) from file('${file}', Parquet)
                   settings max_threads = 1, input_format_parquet_preserve_order = 1 format JSONEachRow`;
    const answer = await engine.request('/', { body: query });
    assert.equal(answer.status, 200, answer.body);
    return readLines(answer.body);
  },
};

function readLines(body: string): Row[] {
  const lines = body.split('\n');
  assert.equal(lines.pop(), '');
  return lines.map((line) => JSON.parse(line));
}

function readCsv(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let end = 0;
  for (const [whole, quoted, plain, separator] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))([,\n])/gy)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    end += whole.length;
    if (separator === ',') continue;
    rows.push(row);
    row = [];
  }
  assert.equal(end, csv.length, 'expected to understand the whole text');
  return rows;
}

for (const [format, read] of Object.entries(readers) as [ExportFormat, (typeof readers)[ExportFormat]][]) {
  test(`${format} has exactly the website's records, in order and undamaged`, async () => {
    assertSame(await read(await exporting(1, format)), shop);
    assertSame(await read(await exporting(2, format)), neighbour);
  });

  test(`${format} has the days of a period, including both ends`, async () => {
    const ofDays = (from: string, to: string) =>
      shop.filter(({ day }) => String(day) >= from && String(day) <= to);
    for (const [from, to] of [
      ['2026-03-02', '2026-04-03'],
      ['2026-03-01', '2026-03-01'],
      ['2026-04-05', '2026-04-05'],
    ] as const) {
      assertSame(await read(await exporting(1, format, { from, to })), ofDays(from, to));
    }
    assertSame(await read(await exporting(1, format, { from: '2026-04-10' })), ofDays('2026-04-10', '9'));
    assertSame(await read(await exporting(1, format, { to: '2026-03-01' })), ofDays('', '2026-03-01'));
  });

  test(`${format} of a website without records is a file without rows`, async () => {
    assert.deepEqual(await read(await exporting(3, format)), []);
    assert.deepEqual(await read(await exporting(1, format, { from: '2030-01-01' })), []);
  });
}

testLong('asks for fewer records at once when they turn out to be very large', async () => {
  // The engine creates these itself, because as JSON the large ones would be 75 MB. It gets them in pieces,
  // because a distributed table needs several times as much memory.
  const pieces = [0, 11_000, 12_000, 13_000, 14_000];
  for (const [at, to] of pieces.slice(1).entries())
    await store.query({
      query: `
        insert into records (
          node, batch, website_id, day, received_at, local_at, kind, visitor_id,
          parameter_names, parameter_values
        )
        select 'n1', 1, 6, if(number < 11000, '2026-03-01', '2026-03-02') as on, concat(on, ' 10:00:00.123'),
          concat(on, ' 11:00:00'), 'page_view', number, arrayMap(i -> 'a', range(12) as places),
          arrayMap(i -> if(number < 11000, '', repeat('b', 2048)), places)
        from numbers({from:UInt32}, {count:UInt32})`,
      params: { from: pieces[at]!, count: to - pieces[at]! },
    });
  const sizes: number[] = [];
  let before = 0;
  const onProgress = ({ records }: { records: number }) => {
    sizes.push(records - before);
    before = records;
  };
  const stream = await store.ofWebsite(6).exportRecords({ format: 'ndjson', onProgress });
  let lines = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) lines += 1;
  assert.equal(lines, 14_000);
  assert.ok(sizes[1]! > 6_000, `expected slices to grow first, got ${sizes}`);
  assert.ok(sizes.length > 5 && sizes.at(-1)! < 1_500, `expected small ones in the end, got ${sizes}`);
});

test('reports its progress', async () => {
  const seen: { records: number; ofRecords: number }[] = [];
  const stream = await store
    .ofWebsite(1)
    .exportRecords({ format: 'ndjson', onProgress: (progress) => seen.push(progress) });
  await text(stream);
  assert.ok(seen.length > 2, `${seen.length} slices`);
  assert.deepEqual(seen.at(-1), { records: shop.length, ofRecords: shop.length });
  const counts = seen.map(({ records }) => records);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  );
});

/** Begins an export and reads only its first bytes. */
async function begin(signal?: AbortSignal): Promise<{ stream: Readable; slices: () => number }> {
  let slices = 0;
  const onProgress = () => {
    slices += 1;
  };
  const stream = await store.ofWebsite(1).exportRecords({ format: 'ndjson', signal, onProgress });
  await new Promise<void>((resolve, reject) => {
    stream.once('readable', resolve);
    stream.once('error', reject);
  });
  assert.ok(stream.read(100) !== null);
  return { stream, slices: () => slices };
}

const askSomething = () => store.query({ query: 'select count() from records' });

test('asks for nothing, and keeps nobody waiting, while its reader pauses', async () => {
  const { stream, slices } = await begin();
  for (let use = 0; use < 10; use += 1) await askSomething();
  assert.equal(slices(), 0);
  assert.ok(
    stream.readableLength <= stream.readableHighWaterMark + 100_000,
    `${stream.readableLength} bytes wait`,
  );
  const rest = await text(stream);
  assert.equal(rest.split('\n').length, shop.length + 1);
});

test('ends when it is aborted, and leaves the engine free', async () => {
  const controller = new AbortController();
  const { stream } = await begin(controller.signal);
  controller.abort();
  await assert.rejects(text(stream), { name: 'AbortError' });
  assert.equal((await askSomething()).length, 1);
});

test('ends at once if it was already aborted', async () => {
  const exported = store.ofWebsite(1).exportRecords({ format: 'csv', signal: AbortSignal.abort() });
  await assert.rejects(exported.then(text));
  assert.equal((await askSomething()).length, 1);
});

test('leaves the engine free when its reader leaves', async () => {
  const { stream } = await begin();
  stream.destroy();
  assert.equal((await askSomething()).length, 1);
});

/** Reads to the end, and does some work when the first bytes of the first slice arrive. */
async function readAndThen(stream: Readable, work: () => Promise<unknown>): Promise<void> {
  let chunks = 0;
  for await (const _ of stream) {
    chunks += 1;
    // The first chunk is the CSV header, or the magic bytes at the beginning of Parquet.
    if (chunks === 2) await work();
  }
}

for (const format of isLongForm ? (['csv', 'ndjson', 'parquet'] as const) : (['parquet'] as const)) {
  test(`${format} fails, and does not end early, when the engine dies on the way`, async () => {
    const reading = readAndThen(await exporting(1, format), () => engine.supervisor.pause());
    await assert.rejects(reading, /ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|aborted|socket hang up/);
    assert.equal(engine.supervisor.state().state, 'stopped');
    engine.supervisor.resume();
    await untilReady(engine.supervisor);
  });
}

test('fails when the engine refuses a question on the way', async () => {
  const reading = readAndThen(await exporting(1, 'csv'), () =>
    store.query({ query: 'rename table records to records_away' }),
  );
  await assert.rejects(reading, { type: 'UNKNOWN_TABLE' });
  await store.query({ query: 'rename table records_away to records' });
});

test('fails when records are gone that existed at the beginning', async () => {
  await insert(4, busyDay);
  const reading = readAndThen(await exporting(4, 'csv'), () =>
    store.query({
      query: `alter table ${tableOfRows('records')} delete
              where website_id = 4 and visitor_id = 9007199254740993
              settings mutations_sync = 2`,
    }),
  );
  await assert.rejects(reading, /expected at least 8000 records, got \d+/);
});

testLong(
  'includes records that arrive meanwhile or leaves them for the next export, without duplicates',
  async () => {
    await insert(5, busyDay);
    const stream = await exporting(5, 'ndjson');
    const chunks: Buffer[] = [];
    for await (const chunk of stream) {
      if (chunks.length === 0) await insert(5, neighbour);
      chunks.push(chunk as Buffer);
    }
    const rows = readLines(Buffer.concat(chunks).toString());
    const old = rows.filter(({ path }) => path !== neighbour[0]!.path);
    assertSame(old, busyDay);
    assert.ok(new Set(asSet(rows)).size === rows.length, 'expected no record twice');
  },
);

test('CSV contains no formulas, unless the raw values are requested', async () => {
  const sign = fc.constantFrom(...'=+-@＝＋－＠;,\t\r\n" \u00a0\u3000\ufeff\u2028\'aü😀\\/');
  const values = fc.sample(
    fc.array(sign, { minLength: 1, maxLength: 8 }).map((signs) => signs.join('')),
    { numRuns: 300, seed: 9 },
  );
  const records = values.map((value, index) =>
    recordOf({
      day: '2026-03-02',
      visitor_id: String(index),
      path: value,
      city: value,
      event_name: value,
      parameter_names: ['name'],
      parameter_values: [value],
    }),
  );
  await insert(7, records);
  const [raw, harmless] = await Promise.all(
    [true, false].map(async (isRaw) => {
      const stream = await store.ofWebsite(7).exportRecords({ format: 'csv', isRaw });
      return readCsv(await text(stream)).slice(1);
    }),
  );
  assert.equal(raw!.length, values.length);
  assert.deepEqual(raw!.map((cells) => cells[exportColumns.indexOf('path')]).toSorted(), values.toSorted());
  // Both are in the order of the visitors, who are all different.
  const isText = (at: number) => !['day', 'received_at', 'local_at'].includes(exportColumns[at]!);
  assert.deepEqual(
    harmless,
    raw!.map((cells) => cells.map((cell, at) => (isText(at) ? harmlessText(cell) : cell))),
  );
});
