import {
  type Field,
  readInteger,
  readList,
  readStruct,
  writeInteger,
  writeList,
  writeStruct,
} from './thrift-compact.ts';

/** Joins many Parquet files with the same columns into one, and keeps only their footers in memory. */
export type ParquetJoin = {
  /** Takes one complete file and returns its part of the joined file. */
  add(file: Buffer): Buffer[];
  /** Returns the end of the joined file. */
  end(): Buffer;
  rows(): number;
};

const magic = Buffer.from('PAR1');
const lengthBytes = 4;

// Field numbers from parquet.thrift.
const inFile = { schema: 2, rows: 3, rowGroups: 4 };
const inRowGroup = { columns: 1, fileOffset: 5, ordinal: 7 };
const inColumn = { fileOffset: 2, metadata: 3, indexes: [4, 5, 6, 7] };
const inMetadata = { dataPage: 9, indexPage: 10, dictionaryPage: 11, bloomFilter: [14, 15] };

const structType = 12;

/**
 * In a Parquet file the rows come before the footer, and only the footer says where they are. So files are
 * joined by writing their rows one after the other, followed by a footer with all of their row groups, each
 * moved to its new position.
 */
export function createParquetJoin(): ParquetJoin {
  let first: Field[] | undefined;
  let position = magic.length;
  let rows = 0;
  const rowGroups: Buffer[] = [];

  return {
    rows: () => rows,
    add(file) {
      const { body, footer } = takeApart(file);
      const isFirst = first === undefined;
      first ??= footer;
      if (!fieldValue(first, inFile.schema).equals(fieldValue(footer, inFile.schema)))
        throw new Error('expected Parquet files with the same columns, got different ones');
      const shift = position - magic.length;
      for (const group of readList(fieldValue(footer, inFile.rowGroups)).items) {
        // This copies, because a slice would keep all bytes of the file in memory.
        rowGroups.push(Buffer.from(moveRowGroup(group, shift)));
      }
      rows += readInteger(fieldValue(footer, inFile.rows));
      position += body.length;
      return isFirst ? [magic, body] : [body];
    },
    end() {
      if (first === undefined) throw new Error('expected at least one Parquet file, got none');
      const footer = writeStruct(
        first.map((field) => {
          if (field.id === inFile.rows) return { ...field, value: writeInteger(rows) };
          if (field.id !== inFile.rowGroups) return field;
          return { ...field, value: writeList({ type: structType, items: rowGroups }) };
        }),
      );
      const length = Buffer.alloc(lengthBytes);
      length.writeUInt32LE(footer.length);
      return Buffer.concat([footer, length, magic]);
    },
  };
}

function takeApart(file: Buffer): { body: Buffer; footer: Field[] } {
  const footerEnd = file.length - magic.length - lengthBytes;
  const hasMagic = file.subarray(0, magic.length).equals(magic) && file.subarray(-magic.length).equals(magic);
  const footerStart = hasMagic && footerEnd >= magic.length ? footerEnd - file.readUInt32LE(footerEnd) : 0;
  if (footerStart < magic.length)
    throw new Error(`expected a whole Parquet file, got ${file.length} bytes of something else`);
  return {
    body: file.subarray(magic.length, footerStart),
    // This copies for the same reason.
    footer: readStruct(Buffer.from(file.subarray(footerStart, footerEnd))).fields,
  };
}

function moveRowGroup(group: Buffer, shift: number): Buffer {
  const fields = readStruct(group).fields.filter(({ id }) => id !== inRowGroup.ordinal);
  return writeStruct(
    fields.map((field) => {
      if (field.id === inRowGroup.fileOffset) return moved(field, shift);
      if (field.id !== inRowGroup.columns) return field;
      const { type, items } = readList(field.value);
      return {
        ...field,
        value: writeList({ type, items: items.map((column) => moveColumn(column, shift)) }),
      };
    }),
  );
}

/** Indexes and Bloom filters contain positions too. Readers can do without them, so they are left out. */
function moveColumn(column: Buffer, shift: number): Buffer {
  const fields = readStruct(column).fields.filter(({ id }) => !inColumn.indexes.includes(id));
  return writeStruct(
    fields.map((field) => {
      if (field.id === inColumn.fileOffset) return moved(field, shift);
      if (field.id !== inColumn.metadata) return field;
      return { ...field, value: moveMetadata(field.value, shift) };
    }),
  );
}

function moveMetadata(metadata: Buffer, shift: number): Buffer {
  const places: number[] = [inMetadata.dataPage, inMetadata.indexPage, inMetadata.dictionaryPage];
  const fields = readStruct(metadata).fields.filter(({ id }) => !inMetadata.bloomFilter.includes(id));
  return writeStruct(fields.map((field) => (places.includes(field.id) ? moved(field, shift) : field)));
}

/** Some writers put 0 there if they have nothing to say. It is not a position. */
function moved(field: Field, shift: number): Field {
  const place = readInteger(field.value);
  return place === 0 ? field : { ...field, value: writeInteger(place + shift) };
}

function fieldValue(fields: readonly Field[], id: number): Buffer {
  const field = fields.find((candidate) => candidate.id === id);
  if (field === undefined)
    throw new Error(`expected field ${id} in the footer of a Parquet file, got none of it`);
  return field.value;
}
