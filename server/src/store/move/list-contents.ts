import { databaseName } from '../database-name.ts';
import type { MoveStore } from './move-store.ts';

/** How many records there are of something, and the sum of their visitor ids. */
export type Amount = { records: number; checksum: string };
/** The year times 100 plus the month: a partition of the store. */
export type Month = number;
export type WebsiteDay = Amount & { websiteId: number; day: string };
/** The records of one batch on a day. */
export type Cell = Amount & { node: string; batch: number };

const amount = 'count() as records, toString(sum(visitor_id)) as checksum';
const settings = { max_execution_time: 110 };
const noSuchTable = ['60', '81'];

/** The store answers both of these from what it keeps in each part, without reading the records. */
export async function listMonths(store: MoveStore): Promise<Map<Month, Amount>> {
  const query = `select toYYYYMM(day) as month, ${amount} from records group by month order by month`;
  const rows = await store.query<Amount & { month: Month }>({ query, settings });
  return new Map(rows.map(({ month, ...found }) => [month, found]));
}

export async function listDays(store: MoveStore, month: Month): Promise<WebsiteDay[]> {
  return await store.query<WebsiteDay>({
    query: `
      select r.website_id as websiteId, toString(r.day) as day, ${amount}
      from records as r
      where toYYYYMM(r.day) = {month:UInt32}
      group by r.website_id, r.day
      order by r.website_id, r.day`,
    params: { month },
    settings,
  });
}

/** An empty list of websites means all of them. */
export const onDay = `
  day = {day:Date} and (empty({websites:Array(UInt32)}) or website_id in {websites:Array(UInt32)})`;

export async function listCells(
  store: MoveStore,
  of: { day: string; websites: readonly number[] },
): Promise<Cell[]> {
  return await store.query<Cell>({
    query: `select node, batch, ${amount} from records where ${onDay} group by node, batch order by node, batch`,
    params: of,
    settings,
  });
}

/** The size of the records on disk, and how many there are. Nothing if there is no store yet. */
export async function measureRecords(store: MoveStore): Promise<{ records: number; bytes: number }> {
  const { cluster } = store;
  try {
    const [row] = await store.query<{ records: number; bytes: number }>({
      query: `
        select
          (select count() from records) as records,
          (
            select sum(bytes_on_disk)
            from ${cluster?.system('parts') ?? 'system.parts'}
            where database = '${databaseName}' and table = {table:String} and active
          ) as bytes`,
      params: { table: cluster?.localName('records') ?? 'records' },
    });
    return row ?? { records: 0, bytes: 0 };
  } catch (error) {
    if (error instanceof Error && 'code' in error && noSuchTable.includes(String(error.code)))
      return { records: 0, bytes: 0 };
    throw error;
  }
}

export const isSameAmount = (one: Amount | undefined, other: Amount | undefined): boolean =>
  one?.records === other?.records && one?.checksum === other?.checksum;
