import { recordColumns } from '../../records/record-columns.ts';
import { databaseName } from '../database-name.ts';
import { removeRows } from '../remove-rows.ts';
import type { MoveStore } from './move-store.ts';

type Content = { websiteId: number; records: number; content: string };

/** Reading more in one statement could take longer than it may. */
const recordsPerStatement = 5_000_000;
const settings = { max_execution_time: 110 };

const ofDay = `
  select website_id as websiteId, count() as records,
    toString(sum(cityHash64(node, batch, ${recordColumns.join(', ')}))) as content
  from records
  where day = {day:Date} and visitor_id % {slices:UInt32} = {slice:UInt32}
  group by website_id
  order by website_id`;

/**
 * Compares every value of a day in both stores, and returns the websites whose records are as many but not
 * the same. Those that differ in number are left to the next comparison of numbers.
 */
export async function findOtherContent(
  from: MoveStore,
  to: MoveStore,
  { day, records }: { day: string; records: number },
): Promise<number[]> {
  const slices = Math.max(1, Math.ceil(records / recordsPerStatement));
  const different = new Set<number>();
  for (let slice = 0; slice < slices; slice += 1) {
    const question = { query: ofDay, params: { day, slices, slice }, settings };
    const [one, other] = await Promise.all([from.query<Content>(question), to.query<Content>(question)]);
    const there = new Map(other.map((row) => [row.websiteId, row]));
    for (const { websiteId, records, content } of one) {
      const found = there.get(websiteId);
      if (found?.records === records && found.content !== content) different.add(websiteId);
    }
  }
  return [...different];
}

/** Removes days from the copy, so that they are copied again. */
export async function removeDay(to: MoveStore, day: string, websites: readonly number[]): Promise<void> {
  await removeRows(to, 'records', {
    condition: 'day = {day:Date} and website_id in {websites:Array(UInt32)}',
    params: { day, websites },
  });
}

/** Names the last time when values of records were rewritten, which changes no numbers. */
export async function readLastRewrite(store: MoveStore): Promise<string> {
  const { cluster } = store;
  const [row] = await store.query<{ last: string }>({
    query: `
      select toString(max(create_time)) as last
      from ${cluster?.system('mutations') ?? 'system.mutations'}
      where database = '${databaseName}' and table = {table:String}
        and match(command, '(?i)^\\\\(?\\\\s*update ')`,
    params: { table: cluster?.localName('records') ?? 'records' },
    ...(cluster && { settings: cluster.reachable }),
  });
  return row?.last ?? '';
}
