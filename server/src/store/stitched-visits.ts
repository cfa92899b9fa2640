import { occurredAtSql } from '../records/occurred-at.ts';

/** A visit ends when nothing comes for this long. */
export const visitGapMs = 30 * 60 * 1000;

/** Visits as SQL. */
export type StitchedVisits = {
  /**
   * Selects expressions of visits: with their columns `day`, `device_id`, `visitor_id`, `has_client_id`,
   * `is_single` and `is_shared` (by several ClientIds), and with `visit`, an array of the visit's records in
   * their order.
   */
  select(expressions: string): string;
  /** Returns the place of a column in the tuple of a record. The first is when it happened. */
  member(column: string): number;
};

/** By what records are in their order. Those of the same time are in the order of their arrival. */
export const orderOf = (record: string) => [1, 2, 3].map((member) => `${record}.${member}`);

/**
 * Selects the visits in the records that meet a condition. A visit is what a device does on a day without a
 * gap. If exactly one ClientId appears in it, all of it belongs to that visitor, including what came before
 * the sign-in. If there are several, the device is shared: each ClientId has its own records, the others stay
 * anonymous, and the gap applies to each of these parts again.
 */
export function stitchedVisits(options: {
  where: string;
  /** The columns that are needed of each record, besides its time. */
  columns: readonly string[];
  /**
   * For many records. Almost all devices have one visitor, and their visits take less time when they are
   * found on their own. It takes another look at the records to tell these devices from the others.
   */
  isLarge?: true;
}): StitchedVisits {
  // Tuples are sorted by one member after the other. So records of the same millisecond are in the order in
  // which their node received them, and those of different nodes don't depend on how they were loaded. Of two
  // that happened at the same time, the one that waited longer arrived later.
  const members = ['occurred_at', 'waited_ms', 'received_order', ...options.columns];
  const member = (column: string) => members.indexOf(column) + 1;
  const visitor = members.length + 1;
  const hasClientId = visitor + 1;
  const gapsOf = (records: string) =>
    `arrayDifference(arrayMap(r -> toUnixTimestamp64Milli(r.1), ${records}))`;

  const sortedSql = (names: readonly string[]) =>
    `arraySort(groupArray(tuple(${names.map(columnSql).join(', ')})))`;
  const columnSql = (name: string) =>
    name === 'occurred_at' ? occurredAtSql('records.') : `records.${name}`;
  const splitSql = `arraySplit((r, gap) -> gap >= ${visitGapMs}, sorted, ${gapsOf('sorted')})`;
  const ofOneVisitor = (where: string) => `
    select
      day, device_id, ${splitSql} as stretches, arrayJoin(stretches) as visit, visitor_id, has_client_id,
      not has_client_id and length(stretches) = 1 as is_single, false as is_shared
    from (
      select
        day, device_id, any(records.visitor_id) as visitor_id, any(records.has_client_id) as has_client_id,
        ${sortedSql(members)} as sorted
      from records
      where ${where}
      group by day, device_id
    )`;
  const ofAnyVisitors = (where: string) => `
    select
      day, device_id, visit,
      if(length(clients) = 1, clients[1], visit[1].${visitor}) as visitor_id,
      length(clients) = 1 or visit[1].${hasClientId} as has_client_id,
      -- It may be one. There are too few of these to look.
      false as is_single,
      length(clients) > 1 as is_shared
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
          arrayJoin(${splitSql}) as stretch,
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
            ${sortedSql([...members, 'visitor_id', 'has_client_id'])} as sorted
          from records
          where ${where}
          group by day, device_id
        )
      )
    )`;

  const { where, isLarge = false } = options;
  const mixed = mixedDevices(where);
  const parts = isLarge
    ? [
        ofOneVisitor(`${where} and device_id not in (${mixed})`),
        ofAnyVisitors(`${where} and device_id in (${mixed})`),
      ]
    : [ofAnyVisitors(where)];
  const select = (expressions: string) =>
    parts.map((part) => `select ${expressions} from (${part})`).join(' union all ');
  return { select, member };
}

/** Selects the devices with several visitors. A website without ClientIds has none, which is quick to see. */
export function mixedDevices(where: string): string {
  return `
    select device_id
    from records
    where ${where} and device_id in (select device_id from records where ${where} and has_client_id)
    group by device_id
    having min(records.visitor_id) != max(records.visitor_id)`;
}
