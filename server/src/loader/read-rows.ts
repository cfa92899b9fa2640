import { setTimeout as delay } from 'node:timers/promises';
import { localDisk } from '../files/disk.ts';
import { readPastFaults } from '../files/read-past-faults.ts';
import { isOnlyNote, readAllFrames } from '../journal/read-frames.ts';
import type { Segment } from '../journal/recover-journal.ts';
import { recordKey } from '../records/record-key.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { KeyRange } from '../store/list-keys.ts';
import { JournalRow } from './journal-row.ts';

export type SegmentStretch = Pick<Segment, 'number' | 'columns' | 'firstFrame' | 'end'>;

/** A record in a segment: where it is, and the key that identifies it in the store. */
export type RowAt = {
  from: number;
  to: number;
  key: number;
  day: string;
  receivedAt: string;
  /** Minutes since 1970. */
  minute: number;
  isWanted: boolean;
};

/** Pauses let a running server handle its requests. */
const pauseMs = 1;
const pauseAfterMs = 5;

/** Bytes of a segment that can't be read. At its end, they may also be a write in progress. */
export type Gap = { from: number; to: number };

/** Reads all readable records of a segment, and the gaps between them. */
export async function readRows(
  folder: string,
  { number, columns, firstFrame, end }: SegmentStretch,
  isWanted: IsWanted,
): Promise<{ rows: RowAt[]; gaps: Gap[] }> {
  const row = new JournalRow(columns);
  const rows: RowAt[] = [];
  const gaps: Gap[] = [];
  let at = firstFrame;
  let pausedAtMs = performance.now();
  const disk = readPastFaults(localDisk);
  for await (const { frames } of readAllFrames(folder, number, firstFrame, end, disk)) {
    for (const frame of frames) {
      if (frame.offset > at) gaps.push({ from: at, to: frame.offset });
      at = frame.next;
      if (isOnlyNote(frame)) continue;
      row.read(frame);
      const { day, receivedAt, receivedAtMs } = row;
      rows.push({
        from: frame.offset,
        to: frame.next,
        key: recordKey(row),
        day,
        receivedAt,
        minute: Math.floor(receivedAtMs / 60_000),
        isWanted: isWanted(row),
      });
    }
    if (performance.now() - pausedAtMs < pauseAfterMs) continue;
    await delay(pauseMs);
    pausedAtMs = performance.now();
  }
  if (at < end) gaps.push({ from: at, to: end });
  return { rows, gaps };
}

/** The range to ask the store for in order to find these rows. */
export function rangeOf(rows: Iterable<Pick<RowAt, 'day' | 'minute'>>): KeyRange {
  const minutes = new Set<number>();
  let fromDay = '9999-12-31';
  let toDay = '0000-01-01';
  for (const { day, minute } of rows) {
    minutes.add(minute);
    if (day < fromDay) fromDay = day;
    if (day > toDay) toDay = day;
  }
  return { fromDay, toDay, minutes: [...minutes] };
}

export function monthOf({ day }: { day: string }): string {
  return day.slice(0, 4) + day.slice(5, 7);
}
