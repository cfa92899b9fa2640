import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { ClickHouseError } from '@clickhouse/client';
import type { StorePart } from '../../src/store/parts.ts';
import { isLongForm, takeTurns, testLong, times } from '../support/long-form.ts';
import { openTestStore } from '../support/test-store.ts';

type Part = StorePart & { path: string };
/** The rows of a granule, by their places in the part. */
type Granule = { first: number; last: number };
type Damage = {
  file: RegExp;
  /** Between 0 and 1. */
  place: number;
  /** Bytes after that place. */
  skip?: number;
  bytes: number;
  /** The bits of each byte that change. */
  bits?: number;
};

const { engine, store, close } = await openTestStore({ use: 'loading' });
after(close);

/** One part with numbered rows. Small parts have all columns in one file, wide ones a file for each. */
async function fill({ rows, isWide, query = "''" }: { rows: number; isWide: boolean; query?: string }) {
  await store.query({ query: 'truncate table records' });
  await store.query({
    query: `alter table records modify setting min_bytes_for_wide_part = ${isWide ? 0 : 2 ** 40}`,
  });
  await store.query({
    query: `
      insert into records
        (node, batch, day, website_id, received_at, visitor_id, path, query, country, screen_width)
      select 'n', 1, '2026-03-10', 1, '2026-03-10 09:00:00', intHash32(number) % 500,
        concat('/page/', toString(number % 40)), ${query}, toString(number % 200), number
      from numbers({rows:UInt32})`,
    params: { rows },
  });
  await store.query({ query: 'optimize table records final' });
  const parts = await store.query<Part>({
    query: `
      select table, name, partition, rows, path from system.parts
      where active and database = currentDatabase() and table = 'records'`,
  });
  assert.equal(parts.length, 1);
  const part = parts[0]!;
  const numbers = await store.query<{ number: number }>({
    query: 'select screen_width as number from records order by _part_offset',
  });
  const granules = await store.query<Granule>({
    query: `
      select min(_part_offset) as first, max(_part_offset) as last
      from records group by _part_granule_offset order by first`,
  });
  return { part, numbers: numbers.map(({ number }) => number), granules };
}

const otherRows = 100;

/** Two parts with rows of the same batch. Returns the first one, and the numbers of all rows. */
async function fillTwoParts(
  t: TestContext,
  { areOthersWide = false } = {},
): Promise<{ part: Part; numbers: number[] }> {
  const switchMerges = async (to: 'start' | 'stop') =>
    assert.equal((await engine.request('/', { body: `system ${to} merges` })).status, 200);
  await switchMerges('start');
  const { part, numbers } = await fill({ rows: 20_000, isWide: false });
  await switchMerges('stop');
  t.after(() => switchMerges('start'));
  if (areOthersWide)
    await store.query({ query: 'alter table records modify setting min_bytes_for_wide_part = 0' });
  await store.query({
    query: `
      insert into records (node, batch, day, website_id, received_at, screen_width)
      select 'n', 1, '2026-03-11', 1, '2026-03-11 09:00:00', 30000 + number
      from numbers({rows:UInt32})`,
    params: { rows: otherRows },
  });
  const others = Array.from({ length: otherRows }, (_, index) => 30_000 + index);
  return { part, numbers: [...ascending(numbers), ...others] };
}

/** Changes bytes of a file, as a failing disk would. */
function damage({ path }: Part, { file, place, skip = 0, bytes, bits = 0x10 }: Damage): string {
  const files = readdirSync(path).filter((name) => file.test(name));
  const chosen = files[Math.floor(((place * 7919) % 1) * files.length)]!;
  const content = readFileSync(join(path, chosen));
  const from = Math.floor(place * content.length) + skip;
  for (let at = from; at < Math.min(from + bytes, content.length); at += 1) content[at]! ^= bits;
  writeFileSync(join(path, chosen), content);
  return `${chosen} from ${from}, ${bytes} bytes`;
}

/** Reads one row by itself, independently of how rows are salvaged. */
async function canRead(offset: number): Promise<boolean> {
  try {
    await store.query({ query: `select * from records where _part_offset = ${offset}` });
    return true;
  } catch (error) {
    if (error instanceof ClickHouseError) return false;
    throw error;
  }
}

/** `elsewhere` is how many rows are in other parts. */
async function salvage(part: Part, elsewhere = 0): Promise<{ kept: number[]; met: number }> {
  const before = await store.countDamageMet();
  const { kept } = await store.salvagePart(part, { node: 'n', ranges: [] }, async () => {});
  const met = (await store.countDamageMet()) - before;
  const rows = await store.query<{ number: number }>({
    query: 'select screen_width as number from records order by number',
  });
  assert.equal(kept + elsewhere, rows.length);
  return { kept: rows.map(({ number }) => number), met };
}

const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

async function assertSalvaged(rows: number, isWide: boolean, where: Damage): Promise<void> {
  const { part, numbers, granules } = await fill({ rows, isWide });
  const what = `${rows} rows, ${isWide ? 'wide' : 'compact'}, ${damage(part, where)}`;
  const readable: Granule[] = [];
  for (const granule of granules) if (await canRead(granule.last)) readable.push(granule);
  const { kept, met } = await salvage(part);
  const expected = readable.flatMap(({ first, last }) => numbers.slice(first, last + 1));
  assert.deepEqual(kept, ascending(expected), what);
  const damaged = granules.length - readable.length;
  assert.ok(met <= 2 * damaged, `${what}: met damage ${met} times in ${damaged} granules`);
}

const anyFile = /\.bin$/;

for (const [rows, isWide, file, place, bytes] of [
  [20_000, false, anyFile, 0.5, 1],
  [100, false, anyFile, 0.5, 1],
  ...(isLongForm
    ? ([
        [25_000, true, /^path.*\.bin$/, 0.4, 1],
        [20_000, false, anyFile, 0.1, 1],
        [20_000, false, anyFile, 0.95, 400],
        [30_000, true, /^country.*dict.*\.bin$/, 0.5, 1],
      ] as const)
    : []),
] as const)
  test(`of ${rows} rows, keeps all that can be read: ${file} at ${place}, ${bytes} bytes`, () =>
    assertSalvaged(rows, isWide, { file, place, bytes }));

test('keeps all rows that can be read, wherever the damage is', async () => {
  for (let round = 0; round < times(1, 60); round += 1)
    await assertSalvaged(Math.ceil(Math.random() ** 2 * times(20_000, 100_000)), Math.random() < 0.5, {
      file: anyFile,
      place: Math.random(),
      bytes: Math.random() < 0.5 ? 1 : Math.ceil(Math.random() * 3000),
    });
});

testLong('a damaged size that asks for more memory than there is loses one granule', () =>
  // The size of the first block is behind its checksum and the codec, with the highest byte last.
  assertSalvaged(20_000, false, { file: /^data\.bin$/, place: 0, skip: 20, bytes: 1, bits: 0x20 }),
);

testLong('a damaged size beyond everything that the engine accepts loses one granule', () =>
  assertSalvaged(20_000, false, { file: /^data\.bin$/, place: 0, skip: 20, bytes: 1, bits: 0x80 }),
);

testLong('keeps the rows before a damaged block, to the last one', async () => {
  const { part, numbers } = await fill({ rows: 6000, isWide: true, query: 'repeat(hex(number), 120)' });
  damage(part, { file: /^query\.bin$/, place: 0.6, bytes: 1 });
  let readable = 0;
  let unreadable = numbers.length;
  while (unreadable - readable > 1) {
    const middle = Math.floor((readable + unreadable) / 2);
    if (await canRead(middle)) readable = middle;
    else unreadable = middle;
  }
  assert.ok(unreadable > 1, 'the values are in several blocks');
  const { kept } = await salvage(part);
  assert.deepEqual(kept, ascending(numbers.slice(0, unreadable)));
});

testLong(
  'keeps what can be read of a batch that is in another part too, as in a restored store',
  async (t) => {
    const { part, numbers } = await fillTwoParts(t);
    damage(part, { file: anyFile, place: 0.9, bytes: 1 });
    const { kept } = await salvage(part, otherRows);
    assert.ok(kept.length > otherRows && kept.length < numbers.length, `${kept.length} rows are there`);
    assert.deepEqual(kept.slice(-otherRows), numbers.slice(-otherRows));
  },
);

testLong('after a crash, puts rows back once if another part has rows of their batch', async (t) => {
  const crash = () => Promise.reject(new Error('killed'));
  const stored = async () =>
    (await store.query<{ number: number }>({ query: 'select screen_width as number from records' })).map(
      ({ number }) => number,
    );
  for (const isPutBack of [false, true]) {
    const { part, numbers } = await fillTwoParts(t);
    await assert.rejects(store.salvagePart(part, { node: 'n', ranges: [] }, crash), /killed/);
    await store.query({ query: `alter table records detach part '${part.name}'` });
    if (isPutBack)
      await store.query({ query: 'alter table records attach partition 202603 from salvaged_records' });
    await store.finishSalvage();
    assert.deepEqual(ascending(await stored()), numbers, isPutBack ? 'after it was put back' : 'before');
    await store.finishSalvage();
    assert.equal((await stored()).length, numbers.length);
  }
});

test('after a crash, puts rows back once although the batches of another part cannot be read', async (t) => {
  const crash = () => Promise.reject(new Error('killed'));
  for (const isPutBack of takeTurns([true, false], 0)) {
    const { part, numbers } = await fillTwoParts(t, { areOthersWide: true });
    const [other] = await store.query<Part>({
      query: `
        select table, name, partition, rows, path from system.parts
        where active and database = currentDatabase() and table = 'records' and name != '${part.name}'`,
    });
    damage(other!, { file: /^batch\.bin$/, place: 0.5, bytes: 1 });
    await assert.rejects(store.salvagePart(part, { node: 'n', ranges: [] }, crash), /killed/);
    await store.query({ query: `alter table records detach part '${part.name}'` });
    if (isPutBack)
      await store.query({ query: 'alter table records attach partition 202603 from salvaged_records' });
    const { kept } = await store.salvagePart(other!, { node: 'n', ranges: [] }, async () => {});
    assert.equal(kept, 0);
    const rows = await store.query<{ number: number }>({
      query: 'select screen_width as number from records',
    });
    const readable = numbers.slice(0, -otherRows);
    assert.deepEqual(ascending(rows.map(({ number }) => number)), readable, `put back: ${isPutBack}`);
  }
});

testLong('loses no rows of a part that were not put back when another part is damaged', async (t) => {
  const { part, numbers } = await fillTwoParts(t);
  const crash = () => Promise.reject(new Error('killed'));
  await assert.rejects(store.salvagePart(part, { node: 'n', ranges: [] }, crash), /killed/);
  await store.query({ query: `alter table records detach part '${part.name}'` });
  const [other] = (await store.listParts()).filter(({ table }) => table === 'records');
  await store.salvagePart(other!, { node: 'n', ranges: [] }, async () => {});
  const rows = await store.query<{ number: number }>({
    query: 'select screen_width as number from records',
  });
  assert.deepEqual(ascending(rows.map(({ number }) => number)), numbers);
});
