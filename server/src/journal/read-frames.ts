import { type DiskFile, localDisk } from '../files/disk.ts';
import type { ReadableDisk } from '../files/read-past-faults.ts';
import { createDropCopies } from './drop-copies.ts';
import { type PlaceInTime, placeInTime } from './place-in-time.ts';
import { frameHeaderBytes, markBytes, maxPayloadBytes, readFrame, segmentPath } from './segment-file.ts';

/**
 * The payload is in `bytes` from `start` to `end`, and is empty in a frame that is only a note. The mark of a
 * marked frame begins at `mark`, a note at `note`. `isFirst` says that a group begins here. `offset` and `next`
 * are the frame's bounds in the file.
 */
export type Frame = {
  bytes: Buffer;
  start: number;
  end: number;
  mark: number | undefined;
  note: number | undefined;
  isFirst: boolean;
  offset: number;
  next: number;
};

/** The result of one read: whole frames, and how much of the file was skipped because it is damaged. */
export type FrameChunk = { frames: Frame[]; next: number; damagedBytes: number; damagedPlaces: number };

/** So much of a segment is read at a time. */
export const chunkBytes = 64 * 1024;
/** Large enough to contain any frame as a whole, no matter where in it the reading begins. */
const largeChunkBytes = 2 * (frameHeaderBytes + maxPayloadBytes);

/** Whether a frame has no record, only a note. */
export const isOnlyNote = ({ start, end }: Pick<Frame, 'start' | 'end'>): boolean => start === end;

/** Reads the note of a frame that has one. */
export const noteOf = ({ bytes, note, start }: Frame): string | undefined =>
  note === undefined ? undefined : bytes.toString('utf8', note, start - 1);

/** Reads the frames that have a record, as `readAllFrames` does. */
export async function* readFrames(...where: Parameters<typeof readAllFrames>): AsyncGenerator<FrameChunk> {
  for await (const chunk of readAllFrames(...where)) {
    if (chunk.frames.some(isOnlyNote)) chunk.frames = chunk.frames.filter((frame) => !isOnlyNote(frame));
    yield chunk;
  }
}

/**
 * Reads the frames of a segment from `from` up to `to`, about a hundred at a time, so that a caller never
 * blocks the event loop for long. A chunk is valid until the next one is requested, because its memory is
 * reused. Damage in the middle is skipped up to the next whole frame, and counted, and so are copies of frames.
 * A frame that is cut off by `to` ends the reading, and `next` of the last chunk says where. If `from` is behind `to`, as in a truncated
 * segment, there are no chunks.
 */
export async function* readAllFrames(
  folder: string,
  segment: number,
  from: number,
  to: number,
  disk: ReadableDisk = localDisk,
): AsyncGenerator<FrameChunk> {
  if (from >= to) return;
  const file = await disk.open(segmentPath(folder, segment), 'r');
  try {
    const dropCopies = createDropCopies(file, await findLast(file, from));
    let offset = from;
    let wanted = chunkBytes;
    let buffer = Buffer.allocUnsafeSlow(Math.min(wanted, to - offset));
    while (offset < to) {
      const length = Math.min(wanted, to - offset);
      if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await file.read(buffer, 0, length, offset);
      if (bytesRead === 0) return;
      const isLast = offset + bytesRead >= to || bytesRead < length;
      const chunk = splitFrames(buffer.subarray(0, bytesRead), offset, isLast);
      if (chunk.next === offset && !isLast) {
        wanted = largeChunkBytes;
        continue;
      }
      wanted = chunkBytes;
      await dropCopies(chunk, offset);
      yield chunk;
      if (chunk.next === offset) return;
      offset = chunk.next;
    }
  } finally {
    await file.close();
  }
}

/** Finds the last record before a place in a segment. */
async function findLast(file: Pick<DiskFile, 'read'>, before: number): Promise<PlaceInTime | undefined> {
  const length = Math.min(before, chunkBytes);
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, before - length);
  const { frames } = splitFrames(buffer.subarray(0, bytesRead), before - length, true);
  return frames.map(placeInTime).findLast((place) => place !== undefined);
}

function splitFrames(bytes: Buffer, base: number, isLast: boolean): FrameChunk {
  const frames: Frame[] = [];
  let at = 0;
  let damagedBytes = 0;
  let damagedPlaces = 0;
  while (at < bytes.length) {
    const frame = readFrame(bytes, at);
    if (frame.kind === 'whole') {
      const { start, end, mark, note, isFirst } = frame;
      frames.push({ bytes, start, end, mark, note, isFirst, offset: base + at, next: base + end });
      at = end;
      continue;
    }
    // A damaged length can reach past the end of the file. So at the very end, also look for a frame behind
    // it.
    if (frame.kind === 'short' && !isLast) break;
    const found = findFrame(bytes, at + 1);
    if (found === undefined) {
      if (isLast || at > 0 || bytes.length < largeChunkBytes) break;
      // The whole large chunk is damaged. Skip it, but keep the bytes that a frame across the boundary would
      // need.
      at = bytes.length - frameHeaderBytes - maxPayloadBytes;
      damagedBytes += at;
      break;
    }
    damagedBytes += found - at;
    damagedPlaces += 1;
    at = found;
  }
  return { frames, next: base + at, damagedBytes, damagedPlaces };
}

/**
 * Payloads and notes begin with `["`, which makes it cheap to try every byte. A mark may be between the frame's header
 * and the payload.
 */
function findFrame(bytes: Buffer, from: number): number | undefined {
  for (let payload = bytes.indexOf('["', from + frameHeaderBytes); payload !== -1; ) {
    const unmarked = payload - frameHeaderBytes;
    const marked = unmarked - markBytes;
    if (marked >= from && readFrame(bytes, marked).kind === 'whole') return marked;
    if (readFrame(bytes, unmarked).kind === 'whole') return unmarked;
    payload = bytes.indexOf('["', payload + 1);
  }
  return undefined;
}
