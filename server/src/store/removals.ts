/**
 * Selects the rows to remove. The condition always names the website, because the store's own filter doesn't
 * apply to mutations.
 */
export type Removal = { condition: string; params: Record<string, unknown> };

const ofWebsite = 'website_id = {website_id:UInt32}';

/** The records of one visitor of the website that were received before a moment. */
export type VisitorRemoval = {
  /** 64 bits in decimal. */
  visitorId: string;
  /** Milliseconds since 1970. */
  receivedBefore: number;
};

/** The days of a website before this local day, which is kept. */
export type DaysBefore = { websiteId: number; beforeDay: string };

export function allOf(websiteId: number): Removal {
  return { condition: ofWebsite, params: { website_id: websiteId } };
}

export function visitorOf(websiteId: number, { visitorId, receivedBefore }: VisitorRemoval): Removal {
  return {
    condition:
      `${ofWebsite} and visitor_id = {visitor:UInt64} ` +
      `and received_at < fromUnixTimestamp64Milli({received_before:Int64}, 'UTC')`,
    params: { website_id: websiteId, visitor: visitorId, received_before: receivedBefore },
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
