/** A visit ends when nothing comes for this long. */
const visitGapMs = 30 * 60 * 1000;

/**
 * Visits as SQL: each row has the columns `day`, `device_id`, `visitor_id`, `has_client_id`, and `visit`, an
 * array of the visit's records in their order.
 */
export type StitchedVisits = {
  sql: string;
  /** Returns the place of a column in the tuple of a record. */
  member(column: string): number;
};

/**
 * Selects the visits in the records that meet a condition. A visit is what a device does on a day without a
 * gap. If exactly one ClientId appears in it, all of it belongs to that visitor, also what came before the
 * sign-in. If there are several, the device is shared: each ClientId has its own records, the others stay
 * anonymous, and the gap applies to each of these parts again.
 */
export function stitchedVisits(options: {
  where: string;
  /** The columns that are needed of each record, besides time, visitor and `has_client_id`. */
  columns: readonly string[];
}): StitchedVisits {
  // Tuples are sorted by one member after the other. So records of the same millisecond are in the order in
  // which their node received them, and those of different nodes don't depend on how they were loaded.
  const members = ['received_at', 'received_order', ...options.columns, 'visitor_id', 'has_client_id'];
  const member = (column: string) => members.indexOf(column) + 1;
  const visitor = member('visitor_id');
  const hasClientId = member('has_client_id');
  const gapsOf = (records: string) =>
    `arrayDifference(arrayMap(r -> toUnixTimestamp64Milli(r.1), ${records}))`;

  const sql = `
    select
      day, device_id, visit,
      if(length(clients) = 1, clients[1], visit[1].${visitor}) as visitor_id,
      length(clients) = 1 or visit[1].${hasClientId} as has_client_id
    from (
      select
        day, device_id, clients,
        arrayJoin(if(
          length(clients) < 2,
          [stretch],
          arraySplit(
            (r, gap, other) -> other != 0 or gap >= ${visitGapMs},
            by_visitor, ${gapsOf('by_visitor')}, arrayDifference(arrayMap(r -> r.${visitor}, by_visitor))
          )
        )) as visit
      from (
        select
          day, device_id,
          arrayJoin(arraySplit((r, gap) -> gap >= ${visitGapMs}, sorted, ${gapsOf('sorted')})) as stretch,
          if(
            is_mixed,
            arrayDistinct(arrayMap(r -> r.${visitor}, arrayFilter(r -> r.${hasClientId}, stretch))),
            []
          ) as clients,
          if(length(clients) < 2, [], arraySort(r -> (r.${visitor}, r), stretch)) as by_visitor
        from (
          select
            day, device_id,
            -- A device with one visitor needs no look at its records.
            min(records.visitor_id) != max(records.visitor_id) as is_mixed,
            arraySort(groupArray(tuple(${members.map((name) => `records.${name}`).join(', ')}))) as sorted
          from records
          where ${options.where}
          group by day, device_id
        )
      )
    )`;
  return { sql, member };
}
