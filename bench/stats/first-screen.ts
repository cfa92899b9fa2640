/** The lists that a dashboard asks for when it opens, besides totals with a comparison and a series. */
export const lists = [
  'page',
  'entryPage',
  'source',
  'channel',
  'country',
  'city',
  'browser',
  'os',
  'device',
  'event',
];

export type Filter = Record<string, unknown>;

export function firstScreen(filters: Filter[] = []): Record<string, unknown>[] {
  const period = '30d';
  const metrics = ['visitors', 'visits', 'pageViews', 'viewsPerVisit', 'bounceRate', 'visitDuration'];
  return [
    { period, metrics, filters, compare: 'previousPeriod' },
    { period, metrics: ['visitors'], interval: 'day', filters, compare: 'previousPeriod' },
    ...lists.map((dimension) => ({
      period,
      metrics: ['visitors', 'pageViews'],
      dimensions: [dimension],
      filters,
      limit: 10,
    })),
  ];
}

/** Returns the same questions as SQL over the records, as written without visits and sums. */
export function plainSql(): string[] {
  const people = 'website_id = {website_id:UInt32} and not is_bot';
  const scope = `${people} and day between toDate(now('UTC')) - 29 and toDate(now('UTC'))`;
  const before = `${people} and day between toDate(now('UTC')) - 59 and toDate(now('UTC')) - 30`;
  const totals = (where: string) => `
    select
      count() as visits, uniqExact(visitor_id) as visitors, sum(views) as page_views,
      avg(views = 1 and records = 1), avg(ms)
    from (
      select
        visitor_id, day, visit, countIf(kind = 'page_view') as views, count() as records,
        dateDiff('millisecond', min(received_at), max(received_at)) as ms
      from (
        select
          visitor_id, day, kind, received_at,
          sum(starts) over (
            partition by day, visitor_id order by received_at
            rows between unbounded preceding and current row
          ) as visit
        from (
          select
            visitor_id, day, kind, received_at,
            received_at - lagInFrame(received_at, 1, received_at) over (
              partition by day, visitor_id order by received_at
              rows between 1 preceding and current row
            ) >= 1800 as starts
          from records where ${where}
        )
      )
      group by visitor_id, day, visit
    )`;
  const series = (where: string) =>
    `select day, uniqExact(visitor_id) from records where ${where} group by day order by day`;
  const columns: Record<string, string> = { page: 'path', entryPage: 'path', event: 'event_name' };
  return [
    totals(scope),
    totals(before),
    series(scope),
    series(before),
    ...lists.map(
      (name) => `
    select ${columns[name] ?? name} as value, uniqExact(visitor_id) as visitors, countIf(kind = 'page_view')
    from records where ${scope} group by value order by visitors desc, value limit 10`,
    ),
  ];
}
