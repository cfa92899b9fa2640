/** The first three columns of a payload: the website's local day, the website, and the time of receipt. */
export type PayloadStart = { day: string; websiteId: number; receivedAt: string };

export const payloadStartColumns = ['day', 'website_id', 'received_at'];

const shape = /^\["(\d{4}-\d\d-\d\d)",(\d+),"([\d-]{10} [\d:.]{12})"/;

/** Returns when a record was received, in milliseconds since 1970. `payload` has at least its start. */
export function receivedAtMs(payload: string): number {
  return toMs(startOf(payload).receivedAt);
}

/** Converts a time as a payload has it. */
export function toMs(receivedAt: string): number {
  return Date.parse(`${receivedAt.replace(' ', 'T')}Z`);
}

/** Reads the start of a payload without parsing all of it. */
export function readPayloadStart(frame: { bytes: Buffer; start: number; end: number }): PayloadStart {
  return startOf(frame.bytes.toString('latin1', frame.start, Math.min(frame.end, frame.start + 64)));
}

function startOf(text: string): PayloadStart {
  const found = shape.exec(text);
  if (found === null) throw new Error('a journal frame does not begin with day, website and time of receipt');
  return { day: found[1]!, websiteId: Number(found[2]), receivedAt: found[3]! };
}

/**
 * Creates a reader for one of the numbers at the end of a payload, which doesn't parse the rest. Undefined if
 * the columns don't have it there, because an earlier version wrote them.
 */
export function createTailReader(
  columns: readonly string[],
  column: 'received_order' | 'waited_ms',
): ((frame: { bytes: Buffer; start: number; end: number }) => number) | undefined {
  const behind = columns.length - 1 - columns.indexOf(column);
  const isAtEnd = columns.slice(-behind - 1).every((name) => tailColumns.includes(name));
  if (!columns.includes(column) || !isAtEnd) return undefined;
  return ({ bytes, start, end }) => {
    let at = end - closingBytes;
    for (let skipped = 0; skipped < behind; skipped += 1) at = bytes.lastIndexOf(comma, at) - 1;
    let number = 0;
    let unit = 1;
    for (; at > start; at -= 1) {
      const digit = bytes[at]! - zero;
      if (digit < 0 || digit > 9) break;
      number += digit * unit;
      unit *= 10;
    }
    return number;
  };
}

/** Plain numbers, so that no comma can be part of a value. */
const tailColumns = ['received_order', 'waited_ms'];
/** The bracket at the end, and the last digit in front of it. */
const closingBytes = 2;
const comma = ','.charCodeAt(0);
const zero = '0'.charCodeAt(0);
const secondChars = 'YYYY-MM-DD HH:MM:SS'.length;

/** Creates a reader for the time of receipt of many payloads, of which most are of the same second. */
export function createReceivedReader(): (frame: { bytes: Buffer; start: number; end: number }) => number {
  let lastSecond = '';
  let lastMs = 0;
  return (frame) => {
    const { receivedAt } = readPayloadStart(frame);
    const second = receivedAt.slice(0, secondChars);
    if (second !== lastSecond) {
      lastSecond = second;
      lastMs = toMs(`${second}.000`);
    }
    return lastMs + Number(receivedAt.slice(secondChars + 1));
  };
}
