import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { inParts } from './in-parts.ts';
import type { TallyCount, TallyRows } from './tally-rows.ts';
import { writeNumbers } from './write-numbers.ts';

/** What a node adds to its tally, in the transaction of a checkpoint. */
export type TallyCheckpoint = {
  /** Grows by one with each checkpoint. One that is written already changes nothing. */
  number: number;
  rows: TallyRows;
  /** The keys that records without a note have come with, from this place of the journal on. */
  keys: readonly { websiteId: number; key: string }[];
};

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
  await addCounts(trx, node, rows.counts.concat(await writeNumbers(trx, node, rows.numbers)));
  for (const part of inParts(rows.refusals))
    await trx
      .insertInto('tally_refusals')
      .values(part.map(({ websiteId, ...row }) => ({ ...row, website_id: websiteId, node })))
      .onConflict((conflict) =>
        conflict
          .columns(['website_id', 'hour', 'node', 'key', 'release', 'code', 'field', 'expected', 'got'])
          .doUpdateSet((eb) => ({ records: eb('tally_refusals.records', '+', eb.ref('excluded.records')) })),
      )
      .execute();
  for (const part of inParts(keys))
    await trx
      .insertInto('tally_keys')
      .values(part.map(({ websiteId, key }) => ({ website_id: websiteId, node, key })))
      .onConflict((conflict) =>
        conflict.columns(['website_id', 'node']).doUpdateSet((eb) => ({ key: eb.ref('excluded.key') })),
      )
      .execute();
}

/** Adds to counts. Each row may be there already. */
export async function addCounts(
  trx: Kysely<Tables>,
  node: string,
  counts: readonly TallyCount[],
): Promise<void> {
  for (const part of inParts(counts.filter(({ records }) => records > 0))) {
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
