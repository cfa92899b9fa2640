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

/** Reads the order in its millisecond, which is the last value of a payload. */
export function readReceivedOrder({
  bytes,
  start,
  end,
}: {
  bytes: Buffer;
  start: number;
  end: number;
}): number {
  let order = 0;
  let unit = 1;
  for (let at = end - 2; at > start; at -= 1) {
    const digit = bytes[at]! - zero;
    if (digit < 0 || digit > 9) break;
    order += digit * unit;
    unit *= 10;
  }
  return order;
}

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
