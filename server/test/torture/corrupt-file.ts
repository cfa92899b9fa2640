import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { partsOf } from '../damage/filled-folder.ts';
import type { Random } from './create-random.ts';

/** Ways in which a disk or a person damages a file. */
const damages: Record<string, (bytes: Buffer, random: Random) => Buffer> = {
  'a bit is flipped': (bytes, random) => {
    const flipped = Buffer.from(bytes);
    flipped[random.whole(0, bytes.length - 1)]! ^= 1 << random.whole(0, 7);
    return flipped;
  },
  'it is cut off': (bytes, random) => bytes.subarray(0, random.whole(0, bytes.length - 1)),
  'a piece is there twice': (bytes, random) => {
    const from = random.whole(0, bytes.length - 1);
    const to = random.whole(from + 1, bytes.length);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, to), bytes.subarray(to)]);
  },
  'a piece is zeros': (bytes, random) => {
    const from = random.whole(0, bytes.length - 1);
    return Buffer.from(bytes).fill(0, from, random.whole(from + 1, bytes.length));
  },
  'it is empty': () => Buffer.alloc(0),
};

/** All files of a data folder, by kind. A kind that isn't known here is one of its own. */
export function listKinds(dataDir: string): Map<string, string[]> {
  const ofRecords = new Set(partsOf(dataDir).map((part) => basename(join(part, '..'))));
  const kinds = new Map<string, string[]>();
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(dataDir, name);
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts?.isFile() || facts.size === 0) continue;
    const kind = kindOf(name, ofRecords);
    kinds.set(kind, [...(kinds.get(kind) ?? []), path]);
  }
  return kinds;
}

function kindOf(name: string, ofRecords: ReadonlySet<string>): string {
  const [first, second, , table] = name.split('/');
  if (name.endsWith('.segment')) return 'segment';
  if (name.includes('compile-cache')) return 'compiled code';
  if (first === 'store' && name.endsWith('.sql')) return 'definition of a table';
  if (first === 'store' && second === 'store' && ofRecords.has(table!)) return `records, ${basename(name)}`;
  if (first === 'store' && second === 'store') return 'another part of the store';
  return name;
}

/** Damages one file of a kind, and says what it has done. */
export function corruptOne(files: readonly string[], random: Random): string {
  const path = random.pick(files);
  const what = random.pick(Object.keys(damages));
  writeFileSync(path, damages[what]!(readFileSync(path), random));
  return what;
}
