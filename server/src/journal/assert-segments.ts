import assert from 'node:assert';
import type { Disk } from '../files/disk.ts';
import { payloadStartColumns } from './payload-start.ts';
import type { Segment } from './recover-journal.ts';
import { segmentPath } from './segment-file.ts';

/** Called once at the start. Everything that reads through the journal takes its segments in this order. */
export function assertInOrder(segments: readonly Segment[], last: number): void {
  for (const [index, { number, firstFrame, end }] of segments.entries()) {
    assert(
      number > (segments[index - 1]?.number ?? 0) && number <= last,
      'Segments must be in the order of their numbers, without duplicates: records are loaded in it.',
    );
    assert(firstFrame <= end, 'A segment must not end before its first frame.');
  }
}

/** Called once at the start, for the columns that are written from now on. */
export function assertPayloadStart(columns: readonly string[]): void {
  assert.deepEqual(
    columns.slice(0, payloadStartColumns.length),
    payloadStartColumns,
    'Payloads must begin with day, website and time of receipt: readers find these by position.',
  );
}

/**
 * Called when a segment is sealed, before and after zeros for frames to come are cut off. If the segment was
 * removed in the meantime, its writers and readers notice that.
 */
export function assertSize(folder: string, { number }: Segment, bytes: number, disk: Disk): void {
  const size = disk.statNow(segmentPath(folder, number))?.size ?? bytes;
  assert.equal(
    size,
    bytes,
    `Segment ${number} must have the ${bytes} bytes that were written to it, but has ${size}: ` +
      'the difference is unknown, or acknowledged and gone.',
  );
}

/** The sum is kept because it is needed for every record. It decides when records are refused. */
export function assertSealedBytes(sealedBytes: number, segments: readonly Segment[]): void {
  const sum = segments.slice(0, -1).reduce((total, { end }) => total + end, 0);
  assert.equal(
    sealedBytes,
    sum,
    'The bytes of finished segments must add up, or the journal is full too early.',
  );
}
