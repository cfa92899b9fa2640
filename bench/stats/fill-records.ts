import type { Store } from '../../server/src/store/open-store.ts';

type Fill = {
  websiteId: number;
  firstDay: string;
  days: number;
  records: number;
  isLastDayPartial: boolean;
  /** Three in four visitors then have a ClientId, and come on every third day on average. */
  hasClientIds?: boolean;
  /** How many percent of the records have a page of their own, such as one with the number of an order. */
  ownPages?: number;
};

/**
 * Makes records inside the store: three per visitor and day on average, a long tail of pages, cities and
 * sources, and one event in eight records.
 */
export async function fillRecords(store: Store, fill: Fill): Promise<void> {
  const perDay = Math.ceil(fill.records / fill.days);
  for (let day = 0; day < fill.days; day += 1) {
    const isPartial = fill.isLastDayPartial && day === fill.days - 1;
    await store.ofWebsite(fill.websiteId).run({
      query: insert,
      params: {
        first_day: fill.firstDay,
        day,
        records: perDay,
        // For a day that is not over, only the hours that have passed.
        day_ms: isPartial ? Math.max(1, Date.now() % 86_400_000) : 86_400_000,
        has_client_ids: fill.hasClientIds === true,
        own_pages: fill.ownPages ?? 0,
      },
      settings: {
        max_execution_time: 600,
        max_insert_block_size: '500000',
        min_insert_block_size_rows: '500000',
      },
    });
  }
}

const insert = `
  insert into records
  select
    'bench', {day:UInt32}, toDate({first_day:Date}) + {day:UInt32} as day, {website_id:UInt32},
    toDateTime64(day, 3, 'UTC') + toIntervalMillisecond(
      least(start + nth * (cityHash64(number, 9) % 180000), {day_ms:UInt64} - 1)
    ) as received_at,
    toDateTime(received_at, 'UTC'), if(is_event, 'event', 'page_view'),
    if(is_client, cityHash64({website_id:UInt32}, client), device), is_client, 'www.example.com',
    multiIf(
      cityHash64(number, 5) % 100 < {own_pages:UInt8}, concat('/order/', hex(cityHash64(number, day))),
      nth = 0,
      concat('/blog/', toString(toUInt32(pow((h % 1000) / 1000, 3) * 2000))),
      concat('/product/', toString(cityHash64(number) % 300))
    ),
    '',
    ['', '', '', '', '', '', '', 'newsletter', 'google', 'spring'][1 + h % 10] as tag,
    if(tag = '', '', 'email'),
    if(tag = '', '', concat('campaign-', toString(intDiv(h, 11) % 7))), '', '',
    if(
      nth = 0,
      [
        '', 'https://www.google.com/', 'https://news.ycombinator.com/item', 'https://t.co/x',
        'https://duckduckgo.com/'
      ][1 + intDiv(h, 13) % 5],
      'https://www.example.com/'
    ) as referrer,
    domain(referrer),
    [
      '', 'Google', 'Hacker News', 'X', 'DuckDuckGo', 'GitHub', 'Reddit', 'ChatGPT', 'Bing', 'LinkedIn',
      'Newsletter', 'YouTube'
    ][1 + intDiv(h, 13) % 12],
    ['direct', 'search', 'referral', 'social', 'ai', 'email'][1 + intDiv(h, 13) % 6],
    ['EU', 'NA', 'AS'][1 + h % 3],
    [
      'DE', 'FR', 'US', 'GB', 'JP', 'NL', 'ES', 'IT', 'PL', 'SE', 'CH', 'AT', 'CA', 'BR', 'IN', 'AU'
    ][1 + intDiv(h, 17) % 16] as country,
    concat(country, '-region-', toString(intDiv(h, 19) % 12)), toString(intDiv(h, 19) % 12),
    concat(country, '-city-', toString(intDiv(h, 23) % 200)),
    toString(10000 + intDiv(h, 29) % 900), 'Europe/Berlin',
    ['en', 'de', 'fr', 'es', 'ja'][1 + intDiv(h, 31) % 5],
    ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet'][1 + intDiv(h, 37) % 5],
    toString(100 + intDiv(h, 41) % 30),
    ['Windows', 'macOS', 'iOS', 'Android', 'Linux'][1 + intDiv(h, 43) % 5], toString(intDiv(h, 47) % 15),
    ['desktop', 'mobile', 'tablet'][1 + intDiv(h, 53) % 3],
    cityHash64(visitor, 3) % 20 = 0 as is_bot, if(is_bot, 'GPTBot', ''),
    [1920, 1440, 390, 768, 2560, 360][1 + intDiv(h, 59) % 6],
    [1080, 900, 844, 1024, 1440, 800][1 + intDiv(h, 59) % 6],
    if(is_event, ['Signup', 'Purchase', 'Download'][1 + number % 3], ''), if(is_event, ['plan', 'value'], []),
    if(is_event, [['pro', 'free'][1 + number % 2], toString(number % 100)], []),
    device, 0, 0
  from (
    select
      {has_client_ids:Bool} and cityHash64(visitor, {day:UInt32}, 11) % 4 > 0 as is_client,
      cityHash64(visitor, {day:UInt32}, 13) % {records:UInt64} as client,
      cityHash64({website_id:UInt32}, {day:UInt32}, visitor) as device, number, intDiv(number, 3) as visitor, number % 3 as nth, cityHash64(visitor, 7, {day:UInt32}) as h,
      cityHash64(visitor, {day:UInt32}) % {day_ms:UInt64} as start, cityHash64(number, 5) % 8 = 0 as is_event
    from numbers({records:UInt64})
  )`;
