import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { accountStream } from './account-stream.ts';
import { ofAllNodes, type TallyCount } from './tally-rows.ts';
import { readFoldedTo } from './write-numbers.ts';
import { addCounts } from './write-tally.ts';

/**
 * Turns the numbers of a stream that belong to hours before this one into plain counts. Numbers that arrived
 * later are part of these, and are taken out of the rows of their own hours.
 */
export async function foldStream(
  trx: Kysely<Tables>,
  websiteId: number,
  stream: string,
  beforeHour: number,
): Promise<void> {
  const found = await trx
    .selectFrom('tally_streams')
    .selectAll()
    .where('website_id', '=', websiteId)
    .where('stream', '=', stream)
    .orderBy('hour')
    .orderBy('node')
    .execute();
  if (!found.some(({ hour }) => hour < beforeHour)) return;
  const rows = found.map((row) => ({ ...row, text: row.numbers, numbers: JSON.parse(row.numbers) }));
  const account = accountStream(rows, await readFoldedTo(trx, { websiteId, stream }));
  const missing = account.gaps.map((gap) => ({ ...gap, outcome: 'missing' as const }));
  const counts = [...account.counts, ...missing]
    .filter(({ hour }) => hour < beforeHour)
    .map(
      ({ hour, key, release, outcome, records }): TallyCount => ({
        ...{ websiteId, hour, key, release, outcome, records },
        isNumbered: true,
      }),
    );
  await addCounts(trx, ofAllNodes, counts);
  const foldedTo = account.highestAt(beforeHour - 1);
  await trx
    .insertInto('tally_stream_ends')
    .values({ website_id: websiteId, stream, folded_to: foldedTo, hour: beforeHour })
    .onConflict((conflict) =>
      conflict.columns(['website_id', 'stream']).doUpdateSet({ folded_to: foldedTo, hour: beforeHour }),
    )
    .execute();
  await trx
    .deleteFrom('tally_streams')
    .where('website_id', '=', websiteId)
    .where('stream', '=', stream)
    .where('hour', '<', beforeHour)
    .execute();
  for (const row of rows.filter(({ hour }) => hour >= beforeHour)) {
    const { arrivals, numbers } = account.leftOf(row, foldedTo);
    const text = JSON.stringify(numbers);
    if (text === row.text) continue;
    const { hour, node } = row;
    await trx
      .updateTable('tally_streams')
      .set({ arrivals, numbers: text })
      .where((eb) => eb.and({ website_id: websiteId, stream, hour, node }))
      .execute();
  }
}
