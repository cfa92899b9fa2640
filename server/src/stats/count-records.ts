import type { Store } from '../store/open-store.ts';
import type { Period } from './parse-period.ts';

/** What arrived for a website in a period. Bots are counted apart. */
export type RecordCounts = { pageViews: number; events: number; visitors: number; botRecords: number };

type Row = { page_views: string; events: string; visitors: string; bot_records: string };

// A visitor without ClientId has another id each day, so distinct ids over many days are the sum of the days' visitors.
const query = `
  select
    countIf(kind = 'page_view' and not is_bot) as page_views,
    countIf(kind = 'event' and not is_bot) as events,
    uniqExactIf(visitor_id, not is_bot) as visitors,
    countIf(is_bot) as bot_records
  from records
  where website_id = {website_id:UInt32} and day between {from:Date} and {to:Date}
`;

export async function countRecords(
  store: Pick<Store, 'query'>,
  websiteId: number,
  { from, to }: Period,
): Promise<RecordCounts> {
  const [row] = await store.query<Row>({ query, params: { website_id: websiteId, from, to } });
  return {
    pageViews: Number(row?.page_views ?? 0),
    events: Number(row?.events ?? 0),
    visitors: Number(row?.visitors ?? 0),
    botRecords: Number(row?.bot_records ?? 0),
  };
}
