import { demoNode } from '../records/demo-marks.ts';
import type { ErasedVisit } from '../records/erased-visit.ts';
import { occurredAtSql } from '../records/occurred-at.ts';

/**
 * Selects the rows to remove. The condition always names the website, because the store's own filter doesn't
 * apply to mutations.
 */
export type Removal = { condition: string; params: Record<string, unknown> };

const ofWebsite = 'website_id = {website_id:UInt32}';

/**
 * The records of one visitor of the website that happened before a moment, with what the visitor did without
 * a ClientId in these visits.
 */
export type VisitorRemoval = {
  /** 64 bits in decimal. */
  visitorId: string;
  /** Milliseconds since 1970. */
  receivedBefore: number;
  visits?: readonly ErasedVisit[] | undefined;
};

/** The days of a website before this local day, which is kept. */
export type DaysBefore = { websiteId: number; beforeDay: string };

export function allOf(websiteId: number): Removal {
  return { condition: ofWebsite, params: { website_id: websiteId } };
}

/** The made-up records of a website. */
export function demoOf(websiteId: number): Removal {
  return {
    condition: `${ofWebsite} and node = {demo_node:String}`,
    params: { website_id: websiteId, demo_node: demoNode },
  };
}

export function visitorOf(websiteId: number, removal: VisitorRemoval): Removal {
  const { condition, params } = recordsOfPerson(removal);
  return { condition: `${ofWebsite} and ${condition}`, params: { website_id: websiteId, ...params } };
}

/** Selects the records of a person. `table` is the name that columns have in front, with a dot. */
export function recordsOfPerson(
  { visitorId, receivedBefore, visits = [] }: VisitorRemoval,
  table = '',
): Removal {
  const isBefore = (time: string) => `${occurredAtSql(table)} < fromUnixTimestamp64Milli(${time}, 'UTC')`;
  const ownRecords = `${table}visitor_id = {visitor:UInt64} and ${isBefore('{received_before:Int64}')}`;
  const params = { visitor: visitorId, received_before: receivedBefore };
  if (visits.length === 0) return { condition: `(${ownRecords})`, params };
  const inVisit = `device = ${table}visitor_id and not ${isBefore('since')} and ${isBefore('until')}`;
  return {
    condition:
      `(${ownRecords} or ${table}visitor_id in {devices:Array(UInt64)} and arrayExists(` +
      `(device, since, until) -> ${inVisit}, ` +
      `{devices:Array(UInt64)}, {visits_from:Array(Int64)}, {visits_until:Array(Int64)}))`,
    params: {
      ...params,
      devices: visits.map(({ deviceId }) => BigInt(deviceId)),
      visits_from: visits.map(({ receivedFrom }) => receivedFrom),
      visits_until: visits.map(({ receivedUntil }) => receivedUntil),
    },
  };
}

export function buildsOf(websiteId: number, builds: readonly string[]): Removal {
  return {
    condition: `${ofWebsite} and build in {builds:Array(UInt64)}`,
    params: { website_id: websiteId, builds: builds.map(BigInt) },
  };
}

/** Combines several websites, each with its own day. */
export function daysBefore(list: readonly DaysBefore[]): Removal {
  return {
    condition:
      'website_id in {websites:Array(UInt32)} ' +
      "and day < transform(website_id, {websites:Array(UInt32)}, {days:Array(Date)}, toDate('1970-01-01'))",
    params: {
      websites: list.map(({ websiteId }) => websiteId),
      days: list.map(({ beforeDay }) => beforeDay),
    },
  };
}
