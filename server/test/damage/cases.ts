import { cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isLongForm } from '../support/long-form.ts';
import { counts, partsOf, segmentsOf } from './filled-folder.ts';

export type DamageCase = {
  name: string;
  /** Damages the folder while no server runs on it. */
  put?: (dataDir: string) => void | Promise<void>;
  /**
   * The number of acknowledged records that are gone for good once the server has done what it can. Undefined
   * if it cannot know.
   */
  missing: number | undefined;
  /** What each of the three must say then. Without it, all three must report nothing. */
  tells?: RegExp[];
  /** Whether the numbers of records in what they say must add up to what is missing. */
  isCounted?: true;
};

/** In the short form, only this damage must also be told after a kill. All damage is kept in the same list. */
export const toldAfterKill = 'parts whose records the journal has lost are empty';

const ledgerOf = (dataDir: string) => join(dataDir, 'journal', 'ledger');

/** Changes the bytes of a file. */
function edit(file: string, change: (bytes: Buffer) => Buffer): void {
  writeFileSync(file, change(readFileSync(file)));
}

function flip(file: string, at: (bytes: Buffer) => number): void {
  edit(file, (bytes) => {
    bytes[at(bytes)]! ^= 0x01;
    return bytes;
  });
}

const lastSegment = (dataDir: string) => segmentsOf(dataDir).at(-1)!;
const firstSegment = (dataDir: string) => segmentsOf(dataDir)[0]!;

/** The parts with the records of the first segment, in which the store has written them. */
function firstParts(dataDir: string): string[] {
  const blockOf = (part: string) => Number(basename(part).split('_')[1]);
  const first: string[] = [];
  let rows = 0;
  for (const part of partsOf(dataDir).toSorted((a, b) => blockOf(a) - blockOf(b))) {
    if (rows === counts.first) break;
    rows += Number(readFileSync(join(part, 'count.txt'), 'utf8'));
    first.push(part);
  }
  return first;
}

function editLines(file: string, change: (lines: string[]) => string[]): void {
  edit(file, (bytes) => {
    const lines = bytes.toString('utf8').trimEnd().split('\n');
    return Buffer.from(`${change(lines).join('\n')}\n`);
  });
}

/** Finds a line in the middle that names a batch. */
const aBatch = (lines: string[]) => lines.findIndex((line) => line.includes('{"batch"'));

const all: DamageCase[] = [
  { name: 'nothing is damaged', missing: 0 },
  {
    name: 'the last segment is cut off before the checkpoint',
    put: (dataDir) => truncateSync(lastSegment(dataDir), 700),
    missing: counts.unloaded,
    tells: [/journal segment 2 is readable up to byte \d+ only/],
  },
  {
    name: 'the header of the last segment is full of zeros',
    put: (dataDir) => edit(lastSegment(dataDir), (bytes) => bytes.fill(0, 0, 64)),
    missing: 0,
    tells: [/the header of journal segment 2 is damaged/],
  },
  {
    name: 'a bit of a record that only the journal has is flipped',
    put: (dataDir) => flip(lastSegment(dataDir), (bytes) => bytes.length - 2000),
    missing: 1,
    // On a busy machine, the killed server may have started a batch with the record. Then the batch is
    // reported.
    tells: [
      /bytes of journal segment 2, from byte \d+, can't be read|part of journal segment 2 can't be read/,
    ],
  },
  {
    name: 'a bit of a record that the store has is flipped in the journal',
    put: (dataDir) => flip(firstSegment(dataDir), (bytes) => bytes.length - 2000),
    missing: 0,
    tells: [/bytes of journal segment 1, from byte \d+, can't be read/],
  },
  {
    name: 'the ledger has a hole of zeros',
    put: (dataDir) =>
      edit(ledgerOf(dataDir), (bytes) => {
        const middle = bytes.indexOf('\n', bytes.length / 2) + 1;
        return Buffer.concat([bytes.subarray(0, middle), Buffer.alloc(37), bytes.subarray(middle)]);
      }),
    missing: 0,
  },
  {
    name: 'a bit of the ledger is flipped',
    put: (dataDir) => flip(ledgerOf(dataDir), (bytes) => bytes.indexOf('{"batch"') + 20),
    missing: 0,
  },
  {
    name: 'a line of the ledger is lost',
    put: (dataDir) => editLines(ledgerOf(dataDir), (lines) => lines.toSpliced(aBatch(lines), 1)),
    missing: 0,
  },
  {
    name: 'the last line of the ledger that names a batch is lost',
    put: (dataDir) =>
      editLines(ledgerOf(dataDir), (lines) =>
        lines.toSpliced(
          lines.findLastIndex((line) => line.includes('{"batch"')),
          1,
        ),
      ),
    missing: 0,
  },
  {
    name: 'the ledger is of an earlier moment',
    put: (dataDir) => editLines(ledgerOf(dataDir), (lines) => lines.slice(0, aBatch(lines) + 1)),
    missing: 0,
  },
  { name: 'the ledger is gone', put: (dataDir) => rmSync(ledgerOf(dataDir)), missing: 0 },
  {
    name: 'the ledger is empty',
    put: (dataDir) => truncateSync(ledgerOf(dataDir), 0),
    missing: 0,
  },
  {
    name: 'a bit in a part of the store is flipped',
    put: (dataDir) => {
      for (const part of partsOf(dataDir))
        flip(join(part, 'data.bin'), (bytes) => Math.floor(bytes.length / 2));
    },
    missing: 0,
  },
  {
    name: 'a part of the store is gone',
    put: (dataDir) => rmSync(partsOf(dataDir).at(-1)!, { recursive: true }),
    missing: 0,
  },
  {
    name: 'a part of the store is there twice',
    put: (dataDir) => {
      const part = partsOf(dataDir).at(-1)!;
      const [month] = basename(part).split('_');
      cpSync(part, join(part, '..', `${month}_900_900_0`), { recursive: true });
    },
    missing: 0,
  },
  {
    name: 'a file of a part is empty',
    put: (dataDir) => truncateSync(join(partsOf(dataDir).at(-1)!, 'data.bin'), 0),
    missing: 0,
  },
  {
    name: toldAfterKill,
    put: (dataDir) => {
      rmSync(firstSegment(dataDir));
      for (const part of firstParts(dataDir)) truncateSync(join(part, 'data.bin'), 0);
    },
    missing: counts.first,
    tells: [/up to \d+ records? (?:is|are) lost: part \S+ of the store could not be opened/],
    isCounted: true,
  },
  {
    name: 'the store is gone',
    put: (dataDir) => renameSync(join(dataDir, 'store'), join(dataDir, 'store-away')),
    missing: 0,
  },
  {
    name: 'the journal is gone',
    put: (dataDir) => renameSync(join(dataDir, 'journal'), join(dataDir, 'journal-away')),
    missing: counts.unloaded,
    tells: [/journal/],
  },
  {
    name: 'the control database is gone',
    put: (dataDir) => rmSync(join(dataDir, 'control'), { recursive: true }),
    missing: undefined,
    tells: [/control/],
  },
];

/**
 * For the short form, damage to each kind of file. Those in a row are in different places and are put into one
 * folder, so what is reported and what is missing must be the sum of them. A folder without damage is tested
 * by the troubles, and one without its control database or its journal by starts.test.ts.
 */
const shortRows = [
  [
    'the header of the last segment is full of zeros',
    'a bit of a record that only the journal has is flipped',
    'the ledger has a hole of zeros',
    'a file of a part is empty',
  ],
  ['a bit of the ledger is flipped', toldAfterKill],
];

const otherRows = [
  [
    'the last segment is cut off before the checkpoint',
    'a bit of a record that the store has is flipped in the journal',
  ],
  ['the ledger is of an earlier moment', 'a bit in a part of the store is flipped'],
];

/** The long form has each kind alone, and then the combined ones. */
const longRows = [...all.map(({ name }) => [name]), ...shortRows, ...otherRows];

export const cases: DamageCase[] = (isLongForm ? longRows : shortRows).map(joinRow);

function joinRow(names: string[]): DamageCase {
  const found = names.map((name) => {
    const one = all.find((damage) => damage.name === name);
    if (one === undefined) throw new Error(`expected a kind of damage, got "${name}"`);
    return one;
  });
  const tells = found.flatMap((damage) => damage.tells ?? []);
  return {
    name: names.join(', and '),
    put: async (dataDir) => {
      for (const { put } of found) await put?.(dataDir);
    },
    missing: found.some(({ missing }) => missing === undefined)
      ? undefined
      : found.reduce((sum, { missing }) => sum + missing!, 0),
    ...(tells.length > 0 && { tells }),
    ...(found.some(({ isCounted }) => isCounted) && { isCounted: true }),
  };
}
