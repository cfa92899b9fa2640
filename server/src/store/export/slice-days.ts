/** The number of records that a website has on a day. */
export type DayCount = { day: string; records: number };

/** The place of a record within its day, in the order in which the store keeps records. */
export type Place = { visitorId: string; receivedAt: string };

/** Whole days, or a stretch of one day: everything behind the place `after`, up to and including `until`. */
export type Slice = { from: string; to: string; after?: Place | undefined; until?: Place | undefined };

/**
 * How far the days have been taken: up to the day with this index, or up to a place within that day. `left`
 * is the number of records behind that place.
 */
export type Position = { index: number; after?: Place; left: number };

export const beginning: Position = { index: 0, left: 0 };

/** Finds the record that comes this many records behind `after`. Undefined when there are fewer. */
export type FindPlace = (
  day: string,
  after: Place | undefined,
  records: number,
) => Promise<Place | undefined>;

/**
 * Returns the next slice of about this many records, in the store's own order. Small days are taken together,
 * and a large day is cut into even parts. Undefined when no days are left.
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
  // The day may have grown since it was counted. Its last slice has no end, so that it includes new records.
  if (after !== undefined || left > size)
    return { slice: { from: first.day, to: first.day, after }, end: { index: index + 1, left: 0 } };
  const count = countFitting(days.slice(index), size);
  return {
    slice: { from: first.day, to: days[index + count - 1]!.day },
    end: { index: index + count, left: 0 },
  };
}

/** Returns how many of the first days have at most this many records together. */
function countFitting(days: readonly DayCount[], size: number): number {
  let records = 0;
  const tooMany = days.findIndex((day) => {
    records += day.records;
    return records > size;
  });
  return tooMany === -1 ? days.length : tooMany;
}
