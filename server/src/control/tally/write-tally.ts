import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { cut, sizeOf } from './number-ranges.ts';
import { highestOf, settleLowest, uniteNumbers } from './seen-numbers.ts';
import { outcomesOfNumbers, type TallyCount, type TallyNumbers, type TallyRows } from './tally-rows.ts';

/** What a node adds to its tally, in the transaction of a checkpoint. */
export type TallyCheckpoint = {
  /** Grows by one with each checkpoint. One that is written already changes nothing. */
  number: number;
  rows: TallyRows;
  /** The keys that records without a note have come with, from this place of the journal on. */
  keys: readonly { websiteId: number; key: string }[];
};

/** Well below the maximum number of parameters in a statement. */
const maxRowsPerStatement = 500;

/** Adds what was counted since the last checkpoint of the node. */
export async function writeTally(
  trx: Kysely<Tables>,
  node: string,
  { number, rows, keys }: TallyCheckpoint,
): Promise<void> {
  const written = await trx
    .selectFrom('tally_checkpoints')
    .select('number')
    .where('node', '=', node)
    .executeTakeFirst();
  // The answer to an earlier attempt was lost.
  if (written !== undefined && written.number >= number) return;
  await trx
    .insertInto('tally_checkpoints')
    .values({ node, number })
    .onConflict((conflict) => conflict.column('node').doUpdateSet({ number }))
    .execute();
  const counts = [...rows.counts];
  for (const one of rows.numbers) counts.push(...(await writeNumbers(trx, node, one)));
  await addCounts(trx, node, counts);
  for (const part of parts(rows.refusals))
    await trx
      .insertInto('tally_refusals')
      .values(part.map(({ websiteId, ...row }) => ({ ...row, website_id: websiteId, node })))
      .onConflict((conflict) =>
        conflict
          .columns(['website_id', 'hour', 'node', 'key', 'release', 'code', 'field', 'expected', 'got'])
          .doUpdateSet((eb) => ({ records: eb('tally_refusals.records', '+', eb.ref('excluded.records')) })),
      )
      .execute();
  for (const { websiteId, key } of keys)
    await trx
      .insertInto('tally_keys')
      .values({ website_id: websiteId, node, key })
      .onConflict((conflict) => conflict.columns(['website_id', 'node']).doUpdateSet({ key }))
      .execute();
}

/** Adds to counts. Each row may be there already. */
export async function addCounts(
  trx: Kysely<Tables>,
  node: string,
  counts: readonly TallyCount[],
): Promise<void> {
  for (const part of parts(counts.filter(({ records }) => records > 0))) {
    const values = new Map<string, Tables['tallies']>();
    for (const { websiteId, hour, key, release, outcome, isNumbered, records } of part) {
      const name = JSON.stringify([websiteId, hour, key, release, outcome, isNumbered]);
      const known = values.get(name);
      // A statement can't change the same row twice.
      if (known !== undefined) known.records += records;
      else {
        const place = { website_id: websiteId, hour, node, key, release };
        values.set(name, { ...place, outcome, is_numbered: isNumbered ? 1 : 0, records });
      }
    }
    await trx
      .insertInto('tallies')
      .values([...values.values()])
      .onConflict((conflict) =>
        conflict
          .columns(['website_id', 'hour', 'node', 'key', 'release', 'outcome', 'is_numbered'])
          .doUpdateSet((eb) => ({ records: eb('tallies.records', '+', eb.ref('excluded.records')) })),
      )
      .execute();
  }
}

/** Adds the numbers of an hour to those that are known, and returns what counts without its number. */
async function writeNumbers(
  trx: Kysely<Tables>,
  node: string,
  { stream, arrivals, numbers, ...place }: TallyNumbers,
): Promise<TallyCount[]> {
  const { websiteId, hour, key, release } = place;
  const foldedTo = await readFoldedTo(trx, websiteId, stream);
  const plain: TallyCount[] = [];
  const count = (outcome: TallyCount['outcome'], records: number) =>
    plain.push({ ...place, outcome, isNumbered: false, records });
  const above: TallyNumbers['numbers'] = {};
  let left = arrivals;
  for (const outcome of outcomesOfNumbers) {
    const ranges = numbers[outcome] ?? [];
    // Their hours are counted for good.
    const late = sizeOf(cut(ranges, 0, foldedTo));
    count(outcome, late);
    left -= late;
    above[outcome] = cut(ranges, foldedTo + 1, Number.MAX_SAFE_INTEGER);
  }
  if (numbers.settled !== undefined) above.settled = numbers.settled;
  const row = { website_id: websiteId, stream, hour, node };
  const known = await trx
    .selectFrom('tally_streams')
    .select(['key', 'release', 'arrivals', 'numbers'])
    .where((eb) => eb.and(row))
    .executeTakeFirst();
  const knownNumbers = known === undefined ? {} : JSON.parse(known.numbers);
  const ofHighest =
    known === undefined || highestOf(above) > highestOf(knownNumbers) ? { key, release } : known;
  const united = uniteNumbers(knownNumbers, above);
  const { left: kept, settled } = settleLowest(united);
  left += known?.arrivals ?? 0;
  for (const [outcome, records] of settled) {
    count(outcome, records);
    left -= records;
  }
  const values = {
    key: ofHighest.key,
    release: ofHighest.release,
    arrivals: left,
    numbers: JSON.stringify(kept),
  };
  await trx
    .insertInto('tally_streams')
    .values({ ...row, ...values })
    .onConflict((conflict) => conflict.columns(['website_id', 'stream', 'hour', 'node']).doUpdateSet(values))
    .execute();
  return plain;
}

/** The highest number of a stream whose hour is counted for good. */
export async function readFoldedTo(trx: Kysely<Tables>, websiteId: number, stream: string): Promise<number> {
  const end = await trx
    .selectFrom('tally_stream_ends')
    .select('folded_to')
    .where('website_id', '=', websiteId)
    .where('stream', '=', stream)
    .executeTakeFirst();
  return end?.folded_to ?? 0;
}

function* parts<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += maxRowsPerStatement)
    yield rows.slice(start, start + maxRowsPerStatement);
}
