/** When a record was received, as its payload has it, and its place among those of the same millisecond. */
export type PlaceInTime = { receivedAt: string; order: number };

type Payload = { bytes: Buffer; start: number; end: number };

/** Behind `["2026-03-10",` comes the website. */
const websiteAt = 14;
const timeBytes = '2026-03-10 12:00:00.000'.length;
const zero = '0'.charCodeAt(0);
const comma = ','.charCodeAt(0);
const bracket = ']'.charCodeAt(0);

/**
 * Reads the place of a record. Undefined for a frame without a record, and for a record of an earlier version,
 * which has no place among those of its millisecond.
 */
export function placeInTime({ bytes, start, end }: Payload): PlaceInTime | undefined {
  if (bytes[end - 1] !== bracket) return undefined;
  // The last two values are how long it waited, and its place.
  const waited = skipDigits(bytes, end - 2, start);
  if (waited === end - 2 || bytes[waited] !== comma) return undefined;
  const first = skipDigits(bytes, waited - 1, start);
  if (first === waited - 1 || bytes[first] !== comma) return undefined;
  let order = 0;
  for (let at = first + 1; at < waited; at += 1) order = 10 * order + bytes[at]! - zero;
  const time = bytes.indexOf(comma, start + websiteAt) + 2;
  if (time < start + websiteAt || time + timeBytes > end) return undefined;
  return { receivedAt: bytes.toString('latin1', time, time + timeBytes), order };
}

/** Whether a record may follow another one in the journal, as long as nobody has set the clock back. */
export function isInOrder(before: PlaceInTime | undefined, after: PlaceInTime | undefined): boolean {
  if (before === undefined || after === undefined || before.receivedAt < after.receivedAt) return true;
  return before.receivedAt === after.receivedAt && before.order < after.order;
}

/** Goes back over digits, and returns where the first byte is that is none. */
function skipDigits(bytes: Buffer, from: number, start: number): number {
  let at = from;
  while (at > start && bytes[at]! >= zero && bytes[at]! <= zero + 9) at -= 1;
  return at;
}
