import { setTimeout as delay } from 'node:timers/promises';
import { localDisk } from '../files/disk.ts';
import { readPastFaults } from '../files/read-past-faults.ts';
import { chunkBytes, isOnlyNote, readAllFrames } from '../journal/read-frames.ts';
import type { JournalPosition } from '../records/journal-position.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { BatchBody } from './batch-body.ts';
import { createDecodeAddresses } from './decode-addresses.ts';
import { JournalRow } from './journal-row.ts';
import type { Batch } from './ledger-lines.ts';
import { type Gap, monthOf } from './read-rows.ts';

/** Requests get so many times as long as the loader while a batch is read. */
const pauseTimes = 4;
const leastPauseMs = 1;
/** Pauses make reading a batch take at most this much longer, unless it has so many chunks that each pause is short. */
const mostPausesMs = 300;

export type BatchLimits = { maxRows: number; maxBytes: number };

/** A batch with its rows, in the format of the store's INSERT. */
export type LoadedBatch = {
  entry: Batch;
  columns: string[];
  /** In the memory of `into`. */
  body: Buffer;
  rows: number;
  /** The number of rows that are no longer wanted, by month. */
  leftOut: Record<string, number>;
  damagedBytes: number;
  /** The places of the damaged bytes. */
  gaps: Gap[];
};

type Options = {
  folder: string;
  node: string;
  batch: number;
  columns: readonly string[];
  segment: number;
  from: number;
  to: number;
  limits: BatchLimits;
  /** Other rows are left out: their website is gone, they were erased, or they are too old. */
  isWanted: IsWanted;
  /** Set if only some partitions are to be loaded again. */
  onlyMonths?: ReadonlySet<string>;
  /** Set if only rows that the store lacks are to be loaded. */
  isNeeded?: (row: JournalRow) => boolean;
  into: BatchBody;
};

/**
 * Reads frames into one batch, up to its limits or to `to`. Their bytes are copied, with the node and the
 * batch added in front. Only addresses that are encoded change: the store has them as people read them.
 */
export async function readBatch(options: Options): Promise<LoadedBatch> {
  const { folder, node, batch, segment, from, to, limits, isWanted, onlyMonths, into } = options;
  const prefix = Buffer.from(`["${node}",${batch},`);
  const entry: Batch = {
    batch,
    segment,
    from,
    to: from,
    months: {},
    firstReceivedAt: '',
    lastReceivedAt: '',
  };
  let rows = 0;
  const leftOut: Record<string, number> = {};
  const gaps: Gap[] = [];
  const skip = (from: number, to: number) => {
    if (from === to) return;
    const last = gaps.at(-1);
    if (last?.to === from) last.to = to;
    else gaps.push({ from, to });
  };
  const row = new JournalRow(options.columns);
  const decodeAddresses = createDecodeAddresses(options.columns);

  into.clear(Math.min(to - from, limits.maxBytes));
  const disk = readPastFaults(localDisk);
  const pause = createPause(Math.min(to - from, limits.maxBytes));
  reading: for await (const chunk of readAllFrames(folder, segment, from, to, disk)) {
    for (const frame of chunk.frames) {
      if (rows >= limits.maxRows || into.length >= limits.maxBytes) break reading;
      // Damage is a gap before a frame. What comes after the last frame of this batch belongs to the next
      // batch.
      skip(entry.to, frame.offset);
      entry.to = frame.next;
      if (isOnlyNote(frame)) continue;
      row.read(frame);
      const { receivedAt } = row;
      const month = monthOf(row);
      if (!isWanted(row)) {
        leftOut[month] = (leftOut[month] ?? 0) + 1;
        continue;
      }
      if (onlyMonths !== undefined && !onlyMonths.has(month)) continue;
      if (options.isNeeded?.(row) === false) continue;
      entry.months[month] = (entry.months[month] ?? 0) + 1;
      if (entry.firstReceivedAt === '') entry.firstReceivedAt = receivedAt;
      entry.lastReceivedAt = receivedAt;
      rows += 1;
      // The payload's own opening bracket is left out, because the prefix has one.
      const decoded = decodeAddresses(frame);
      if (decoded === undefined) into.addLine(prefix, frame.bytes, frame.start + 1, frame.end);
      else into.addLine(prefix, decoded, 1, decoded.length);
    }
    skip(entry.to, chunk.next);
    entry.to = chunk.next;
    // Without a pause, reading would take the processor away from incoming requests once a second.
    await pause();
  }
  const columns = ['node', 'batch', ...options.columns];
  const damagedBytes = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  return { entry, columns, body: into.bytes, rows, leftOut, damagedBytes, gaps };
}

/** Returns a function that waits after each chunk, longer if the chunk took long. */
function createPause(bytes: number): () => Promise<void> {
  const mostPauseMs = (mostPausesMs * chunkBytes) / bytes;
  let beganMs = performance.now();
  return async () => {
    const tookMs = performance.now() - beganMs;
    await delay(Math.max(leastPauseMs, Math.min(pauseTimes * tookMs, mostPauseMs)));
    beganMs = performance.now();
  };
}

/** Returns the next unread stretch of the journal behind a place, if there is one. */
export function nextStretch(
  segments: readonly { number: number; columns: readonly string[]; firstFrame: number; end: number }[],
  behind: JournalPosition,
) {
  for (const { number, columns, firstFrame, end } of segments) {
    if (number < behind.segment) continue;
    const from = number === behind.segment ? Math.max(firstFrame, behind.offset) : firstFrame;
    if (from < end) return { segment: number, columns, from, to: end };
  }
  return undefined;
}

/** Returns the number of unread bytes behind a place, and before another one if that is given. */
export function bytesBehind(
  segments: readonly { number: number; firstFrame: number; end: number }[],
  behind: JournalPosition,
  before?: JournalPosition,
): number {
  let bytes = 0;
  for (const { number, firstFrame, end } of segments) {
    if (number < behind.segment || (before !== undefined && number > before.segment)) continue;
    const from = number === behind.segment ? Math.max(firstFrame, behind.offset) : firstFrame;
    const to = number === before?.segment ? before.offset : end;
    bytes += Math.max(0, to - from);
  }
  return bytes;
}
