import type { Key } from '@trackside/contract/stats/questions.ts';

/** What the dimension visitorType needs beside the visits; nothing when it is not among the keys. */
export function firstDayJoinFor(keys: readonly Key[]): string {
  return keys.some(({ dimension }) => dimension === 'visitorType') ? firstDayJoin : '';
}

/** From the records, because a visitor may have been new long before the period. */
const firstDayJoin = `
    left join (
      select visitor_id, min(day) as first_day
      from records
      where website_id = {website_id:UInt32} and has_client_id and not is_bot
      group by visitor_id
    ) as first_days using (visitor_id)`;
