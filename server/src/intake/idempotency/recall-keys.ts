import { createReceivedReader, createTailReader } from '../../journal/payload-start.ts';
import { readFrames } from '../../journal/read-frames.ts';
import { markBytes } from '../../journal/segment-file.ts';
import type { Received } from '../receipts/receipts.ts';

type Segment = {
  number: number;
  createdAt: number;
  firstFrame: number;
  end: number;
  columns?: readonly string[];
};
type Limits = { maxAgeMs: number; maxKeys: number; maxBytes: number };
type SegmentKeys = { hashes: Buffer; agesMs: number[]; received: (Received | undefined)[] };

/**
 * Passes the idempotency hashes at the end of the journal to `each`, oldest first, with their age. Time is
 * the journal's own: it ends with the last record, and the time between the last record of a segment and the
 * next segment does not count. So a client that waits for the server to come back finds its key remembered,
 * and no restart shortens the hour.
 */
export async function recallKeys(
  journal: { folder: string; segments: () => readonly Segment[] },
  limits: Limits,
  each: (hash: Buffer, ageMs: number, received: Received | undefined) => void,
  onUnreadable: (segment: number, error: unknown) => void,
): Promise<void> {
  const found: SegmentKeys[] = [];
  let endAgeMs = 0;
  let count = 0;
  let bytes = 0;
  for (const segment of journal.segments().toReversed()) {
    bytes += segment.end - segment.firstFrame;
    if (endAgeMs > limits.maxAgeMs || count >= limits.maxKeys || bytes > limits.maxBytes) break;
    const { hashes, receivedMs, orders, lastMs, error } = await readKeys(journal.folder, segment);
    if (error !== undefined) onUnreadable(segment.number, error);
    if (lastMs === undefined) continue;
    const { createdAt } = segment;
    // A record may have waited for its segment, which is begun anew when the clock was set.
    const ageOf = (ms: number) => endAgeMs + Math.max(0, lastMs - Math.max(ms, createdAt));
    const agesMs = receivedMs.map(ageOf);
    const received = receivedMs.map((receivedAtMs, index) => {
      const order = orders[index];
      return order === undefined ? undefined : { receivedAtMs, order };
    });
    found.push({ hashes, agesMs, received });
    count += receivedMs.length;
    endAgeMs += Math.max(0, lastMs - createdAt);
  }
  for (const { hashes, agesMs, received } of found.toReversed()) {
    agesMs.forEach((ageMs, index) => {
      const at = index * markBytes;
      if (ageMs <= limits.maxAgeMs) each(hashes.subarray(at, at + markBytes), ageMs, received[index]);
    });
  }
}

/**
 * Returns the hashes of a segment, when the record of each was received, and when the last of all records
 * was. If the disk cannot read on, the hashes before that point count: a few missing keys are no reason not
 * to start.
 */
async function readKeys(folder: string, { number, firstFrame, end, columns }: Segment) {
  const readReceivedMs = createReceivedReader();
  // Segments of earlier versions don't have it, and a later one may have more behind it.
  const readOrder = createTailReader(columns ?? [], 'received_order');
  const receivedMs: number[] = [];
  const orders: (number | undefined)[] = [];
  let hashes = Buffer.alloc(1024 * markBytes);
  let lastMs: number | undefined;
  let error: unknown;
  try {
    for await (const { frames } of readFrames(folder, number, firstFrame, end)) {
      const last = frames.at(-1);
      if (last === undefined) continue;
      lastMs = readReceivedMs(last);
      for (const frame of frames) {
        if (frame.mark === undefined) continue;
        const at = receivedMs.length * markBytes;
        if (at === hashes.length) hashes = Buffer.concat([hashes, Buffer.alloc(at)]);
        frame.bytes.copy(hashes, at, frame.mark, frame.mark + markBytes);
        receivedMs.push(readReceivedMs(frame));
        orders.push(readOrder?.(frame));
      }
    }
  } catch (fault) {
    error = fault;
  }
  return { hashes, receivedMs, orders, lastMs, error };
}
