import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createParquetJoin } from './join-parquet.ts';
import {
  type Field,
  readInteger,
  readList,
  readStruct,
  writeInteger,
  writeList,
  writeStruct,
} from './thrift-compact.ts';

const types = { i64: 6, list: 9, struct: 12 };
const integer = (id: number, number: number): Field => ({ id, type: types.i64, value: writeInteger(number) });
const list = (id: number, items: Buffer[]): Field => ({
  id,
  type: types.list,
  value: writeList({ type: types.struct, items }),
});

/** A file with one row group, whose only column begins where the rows begin. */
function parquetFile(body: string, { rows, column = 7 }: { rows: number; column?: number }): Buffer {
  const metadata = writeStruct([
    integer(1, 1),
    integer(9, 4),
    integer(11, 0),
    integer(14, 4),
    integer(15, 9),
  ]);
  const chunk = writeStruct([
    integer(2, 4),
    { id: 3, type: types.struct, value: metadata },
    integer(4, 4),
    integer(5, 9),
  ]);
  const group = writeStruct([list(1, [chunk]), integer(3, rows), integer(5, 4), integer(7, 0)]);
  const schema = list(2, [writeStruct([integer(1, column)])]);
  const footer = writeStruct([integer(1, 2), schema, integer(3, rows), list(4, [group])]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from(`PAR1${body}`), footer, length, Buffer.from('PAR1')]);
}

const numberOf = (fields: readonly Field[], id: number) =>
  fields.filter((field) => field.id === id).map(({ value }) => readInteger(value))[0];
const encodedOf = (fields: readonly Field[], id: number) => fields.find((field) => field.id === id)!.value;

test('joins the rows, and puts their new positions into one footer', () => {
  const join = createParquetJoin();
  const joined = Buffer.concat([
    ...join.add(parquetFile('first rows', { rows: 3 })),
    ...join.add(parquetFile('second', { rows: 2 })),
    ...join.add(parquetFile('third', { rows: 1 })),
    join.end(),
  ]);
  assert.equal(join.rows(), 6);
  assert.ok(joined.toString('latin1').startsWith('PAR1first rowssecondthird'));
  assert.ok(joined.toString('latin1').endsWith('PAR1'));
  const footerBytes = joined.readUInt32LE(joined.length - 8);
  const footer = readStruct(joined.subarray(joined.length - 8 - footerBytes, -8)).fields;
  assert.equal(numberOf(footer, 3), 6);
  const groups = readList(encodedOf(footer, 4)).items.map((group) => readStruct(group).fields);
  assert.deepEqual(
    groups.map((group) => numberOf(group, 5)),
    [4, 14, 20],
  );
  const columns = groups.map((group) => readStruct(readList(encodedOf(group, 1)).items[0]!).fields);
  for (const [index, column] of columns.entries()) {
    const metadata = readStruct(encodedOf(column, 3)).fields;
    const place = [4, 14, 20][index];
    assert.deepEqual([numberOf(column, 2), numberOf(metadata, 9), numberOf(metadata, 11)], [place, place, 0]);
    // The index and the Bloom filter would be looked for in the wrong place.
    assert.deepEqual(
      [column.map(({ id }) => id), metadata.map(({ id }) => id)],
      [
        [2, 3],
        [1, 9, 11],
      ],
    );
  }
});

test('refuses what is not a complete Parquet file', () => {
  const file = parquetFile('rows', { rows: 1 });
  for (const wrong of [Buffer.alloc(0), Buffer.from('PAR1PAR1'), file.subarray(0, -1), file.subarray(1)]) {
    assert.throws(() => createParquetJoin().add(wrong), /expected a whole Parquet file/);
  }
});

test('refuses a file with other columns', () => {
  const join = createParquetJoin();
  join.add(parquetFile('rows', { rows: 1 }));
  assert.throws(() => join.add(parquetFile('rows', { rows: 1, column: 8 })), /the same columns/);
});

test('refuses to end a file that never began', () => {
  assert.throws(() => createParquetJoin().end(), /at least one Parquet file/);
});
