/** How many records a website has of a day. */
export type DayCount = { day: string; records: number };

/** Where a record stands within its day, in the order in which the store keeps them. */
export type Place = { visitorId: string; receivedAt: string };

/** Whole days, or a stretch of one day: behind the place `after`, up to and with `until`. */
export type Slice = { from: string; to: string; after?: Place | undefined; until?: Place | undefined };

/**
 * Up to where the days were taken: before the day of this index, or behind a place in it with so many records
 * left.
 */
export type Position = { index: number; after?: Place; left: number };

export const beginning: Position = { index: 0, left: 0 };

/** The place of the record so many records behind `after`; undefined when there are fewer. */
export type FindPlace = (
  day: string,
  after: Place | undefined,
  records: number,
) => Promise<Place | undefined>;

/**
 * The next slice of about so many records, in the store's own order: small days together, a large one in even
 * parts. Undefined when the days are at their end.
 */
export async function nextSlice(options: {
  days: readonly DayCount[];
  position: Position;
  size: number;
  findPlace: FindPlace;
}): Promise<{ slice: Slice; end: Position } | undefined> {
  const { days, position, size, findPlace } = options;
  const { index, after } = position;
  const first = days[index];
  if (first === undefined) return undefined;
  const left = after === undefined ? first.records : position.left;
  if (left > size) {
    const wanted = Math.ceil(left / Math.ceil(left / size));
    const until = await findPlace(first.day, after, wanted);
    if (until !== undefined) {
      const slice = { from: first.day, to: first.day, after, until };
      return { slice, end: { index, after: until, left: left - wanted } };
    }
  }
  // The day may have grown since it was counted: the last slice of it has no end, so that it takes what came.
  if (after !== undefined || left > size)
    return { slice: { from: first.day, to: first.day, after }, end: { index: index + 1, left: 0 } };
  const count = countFitting(days.slice(index), size);
  return {
    slice: { from: first.day, to: days[index + count - 1]!.day },
    end: { index: index + count, left: 0 },
  };
}

/** How many days, from the first one on, have at most so many records together. */
function countFitting(days: readonly DayCount[], size: number): number {
  let records = 0;
  const tooMany = days.findIndex((day) => {
    records += day.records;
    return records > size;
  });
  return tooMany === -1 ? days.length : tooMany;
}
