import { readFile, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Damage, DamageLog } from '../damage/damage-log.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/open-store.ts';
import type { BrokenPart, StorePart } from '../store/parts.ts';
import { compareBatches } from './compare-batches.ts';
import type { Batch } from './ledger-lines.ts';
import { type LedgerState, rangesOf, rowsOf } from './ledger-state.ts';
import type { Ledger } from './open-ledger.ts';
import { readRows } from './read-rows.ts';

/** A damaged part that was taken out of the store, and how many records are gone with it. */
export type MendedPart = StorePart & { gone: number };

export type MendOptions = {
  journal: Pick<Journal, 'folder' | 'segments'>;
  ledger: Ledger;
  otherLedgers: () => Promise<LedgerState[]>;
  store: Pick<Store, 'salvagePart' | 'dropSums' | 'listBrokenParts' | 'listParts' | 'countBatches'>;
  damage: Pick<DamageLog, 'report' | 'settle'>;
  log: Log;
};

/**
 * Longer statements aren't worth it: rows that are salvaged needlessly are compared and loaded again like
 * everything else.
 */
const mostRanges = 500;

const unsureId = (part: StorePart) => `${partDamageId(part)}-unsure`;

export function partDamageId({ table, name }: Pick<StorePart, 'table' | 'name'>): string {
  return `store-part-${table}-${name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/**
 * Takes a damaged part out of the store and keeps the rows that can be read. Batches of the journal are left
 * out: the caller compares all of them afterwards and loads what is missing. Returns how many records are gone
 * with the part. How many of them are lost is known only when no other damaged part is in the way.
 */
export async function mendPart(
  options: MendOptions,
  part: StorePart,
  noteGone: (records: number) => void,
): Promise<number> {
  const { ledger, store, log } = options;
  if (part.table === 'records') {
    const numbers = (await findReadable(options)).map(({ batch }) => batch);
    const ranges = rangesOf(numbers).slice(0, mostRanges);
    const { kept } = await store.salvagePart(part, { node: ledger.node, ranges }, async (kept) => {
      noteGone(part.rows - kept);
      await noteUnsure(options, part, part.rows - kept);
    });
    log.warn({ storePart: part.name, kept }, 'removed a damaged part from the store');
    return part.rows - kept;
  }
  await store.dropSums(part);
  log.warn(
    { part: part.name, table: part.table },
    'removed damaged totals from the store: recalculating them',
  );
  return 0;
}

/** If the server is killed before what is lost is counted, nobody else can tell that something may be. */
async function noteUnsure({ damage }: MendOptions, part: StorePart, gone: number): Promise<void> {
  if (gone <= 0) return;
  const id = unsureId(part);
  await damage.report({
    id,
    kind: 'store-part',
    says:
      `up to ${recordsText(gone)} of ${monthText(part.partition)} may be lost: part ${part.name} of the store ` +
      'was damaged, and those that the journal has are being loaded again',
    todo:
      'this goes away when they are counted; if it stays after a restart, restore a backup of the store, ' +
      `or accept it with trackside doctor --forget ${id}`,
  });
}

/**
 * Reports the records that neither the store nor the journal has, until an operator forgets them: those of
 * mended parts, and those of parts that the engine couldn't even open. The latter stay in the folder of the
 * store under another name.
 */
export async function reportLost(
  options: MendOptions,
  { mended, hasBroken }: { mended: readonly MendedPart[]; hasBroken: boolean },
): Promise<void> {
  const { store, damage } = options;
  const broken = hasBroken ? await listGone(store) : [];
  const ofRecords = [...mended, ...broken].filter(({ table }) => table === 'records');
  const allGone = ofRecords.reduce((sum, { gone }) => sum + gone, 0);
  let reloaded = countReloaded(allGone, await countMissing(options));
  const countLost = (gone: number): number => {
    const lost = gone - reloaded;
    if (gone > 0) reloaded = Math.max(0, reloaded - gone);
    return lost;
  };
  for (const part of mended) {
    const lost = countLost(part.gone);
    const id = `${partDamageId(part)}-lost`;
    if (lost > 0)
      await damage.report({
        id,
        kind: 'store-part',
        says:
          `${recordsText(lost)} of ${monthText(part.partition)} ${lost === 1 ? 'is' : 'are'} lost: ` +
          `part ${part.name} of the store was damaged, and they were no longer in the journal`,
        todo: `restore a backup of the store, or accept it with trackside doctor --forget ${id}`,
      });
    await damage.settle((known) => known.id === unsureId(part));
  }
  for (const { table, name, path, gone } of broken) {
    const lost = table === 'records' ? countLost(gone) : 0;
    if (table !== 'records' || !(lost <= 0)) await damage.report(describeBroken(table, name, lost));
    // With this name, the next start doesn't find it again. It can't be renamed if it is on another machine's
    // disk.
    const folder = path.replace(/\/$/, '');
    await rename(folder, join(dirname(folder), `kept_${basename(folder)}`)).catch(() => {});
  }
}

function describeBroken(table: string, name: string, lost: number): Omit<Damage, 'foundAt'> {
  const id = partDamageId({ table, name });
  const kind = 'store-part';
  if (table !== 'records')
    return {
      id,
      kind,
      says: `part ${name} of the table ${table} could not be opened and was left out`,
      todo: `run trackside rebuild, then trackside doctor --forget ${id}`,
    };
  const lostText = Number.isNaN(lost) ? 'records' : `up to ${recordsText(lost)}`;
  return {
    id,
    kind,
    says:
      `${lostText} ${lost === 1 ? 'is' : 'are'} lost: part ${name} of the store could not be opened, ` +
      'and according to the ledger, they are no longer in the journal',
    todo: `restore a backup of the store, or accept it with trackside doctor --forget ${id}`,
  };
}

/** Lists the parts that couldn't be opened, with how many rows are gone with them, or NaN if that is unknown. */
async function listGone(store: MendOptions['store']): Promise<(BrokenPart & { gone: number })[]> {
  const parts = await store.listParts();
  const allBroken = await store.listBrokenParts();
  const withRows = async (broken: BrokenPart) => {
    if (allBroken.some((other) => other.table === broken.table && isMergedInto(broken.name, other.name)))
      return { ...broken, gone: 0 };
    const rows = Number(await readFile(join(broken.path, 'count.txt'), 'utf8').catch(() => 'NaN'));
    const ofTable = parts.filter(({ table }) => table === broken.table);
    return { ...broken, gone: Math.max(0, rows - countCovered(broken.name, ofTable)) };
  };
  return await Promise.all(allBroken.map(withRows));
}

/** The batches of which the journal can read every record. */
async function findReadable({ journal, ledger }: MendOptions): Promise<Batch[]> {
  const bySegment = Map.groupBy(ledger.state.batches.values(), ({ segment }) => segment);
  const readable: Batch[] = [];
  for (const segment of [...journal.segments()]) {
    const batches = (bySegment.get(segment.number) ?? []).filter(({ from, to }) => from < to);
    if (batches.length === 0) continue;
    const { gaps } = await readRows(journal.folder, { ...segment, end: batches.at(-1)!.to }, () => true);
    readable.push(
      ...batches.filter((batch) => !gaps.some((gap) => gap.from < batch.to && batch.from < gap.to)),
    );
  }
  return readable;
}

/**
 * The rows of the journal's batches that the store lacks. Those of the last batch are apart, until it has been
 * counted: a crash may have come before its INSERT, so that no part ever had them.
 */
type MissingRows = { loaded: number; last: number };

async function countMissing({ store, ledger, otherLedgers }: MendOptions): Promise<MissingRows> {
  const missing = { loaded: 0, last: 0 };
  for (const { node, batches, verified } of [ledger.state, ...(await otherLedgers())]) {
    const last = [...batches.values()].findLast((batch) => batch.from < batch.to && rowsOf(batch) > 0);
    const { different } = await compareBatches(store, node, [...batches.values()]);
    for (const { batch, expected, found } of different) {
      const isUnsure = batch === last && !verified.has(batch.batch);
      missing[isUnsure ? 'last' : 'loaded'] += Math.max(0, expected - found);
    }
  }
  return missing;
}

/** Returns how many of the rows that are gone from the store will certainly be loaded again. */
function countReloaded(gone: number, { loaded, last }: MissingRows): number {
  // If exactly the last batch is left, the damage hit what was written last. Fewer rows can't be that batch,
  // because a part has it wholly or not at all. If there are more, it may be among them or not.
  return gone - loaded === last ? gone : loaded;
}

/**
 * A part's name has its partition, its first and last block, how often it was merged, and its last mutation.
 * The engine falls back to older parts of the same blocks.
 */
const partName = /(\w+?)_(\d+)_(\d+)_(\d+)(?:_(\d+))?$/;

function parseName(name: string) {
  const [, partition, ...numbers] = partName.exec(name.replace(/^broken[a-z-]*_/, '')) ?? [];
  const [first = Number.NaN, last = Number.NaN, merges = 0, mutation = 0] = numbers.map((one) =>
    Number(one ?? 0),
  );
  return { partition, first, last, merges, mutation };
}

function isWithin(inner: string, outer: string): boolean {
  const [one, other] = [parseName(inner), parseName(outer)];
  return one.partition === other.partition && one.first >= other.first && one.last <= other.last;
}

/** Whether a part has all rows of an older one. */
function isMergedInto(older: string, newer: string): boolean {
  const [one, other] = [parseName(older), parseName(newer)];
  const isOlder = one.merges < other.merges || (one.merges === other.merges && one.mutation < other.mutation);
  return isWithin(older, newer) && isOlder;
}

function countCovered(broken: string, parts: readonly StorePart[]): number {
  return parts.filter(({ name }) => isWithin(name, broken)).reduce((sum, { rows }) => sum + rows, 0);
}

function recordsText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'record' : 'records'}`;
}

function monthText(partition: string): string {
  return `${partition.slice(0, 4)}-${partition.slice(4)}`;
}
