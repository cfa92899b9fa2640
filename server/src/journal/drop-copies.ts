import type { DiskFile } from '../files/disk.ts';
import { isInOrder, type PlaceInTime, placeInTime } from './place-in-time.ts';

/** Where a frame is in the file, and where its payload is in `bytes`. */
type Place = { bytes: Buffer; start: number; end: number; offset: number; next: number };
type Chunk<Frame> = { frames: Frame[]; damagedBytes: number; damagedPlaces: number };

/** If a piece of a file is there twice, its copy comes right behind it. */
const mostBytesBefore = 2 * 1024 * 1024;

/**
 * Returns a function that leaves out copies of frames, chunk by chunk. If a piece of a segment is there twice,
 * its frames are whole, but usually one of them is torn in the middle, where the copy begins. If none is, the
 * copy begins with a record that is not in the order of receipt. So there, and behind damage, a frame that is
 * also right before it is a copy: no two records are the same in all bytes, because each has its own place among
 * those of its millisecond. Other records that are out of order came after the clock was set back.
 *
 * `last` is the record before the first chunk.
 */
export function createDropCopies(file: Pick<DiskFile, 'read'>, last: PlaceInTime | undefined) {
  let isInCopy = false;
  let before: Buffer = Buffer.alloc(0);
  let latest = last;

  async function readBefore(end: number): Promise<Buffer> {
    const length = Math.min(end, mostBytesBefore);
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(buffer, 0, length, end - length);
    return buffer.subarray(0, bytesRead);
  }

  /** `from` is where the chunk begins in the file. */
  return async <Frame extends Place>(chunk: Chunk<Frame>, from: number): Promise<void> => {
    let kept: Frame[] | undefined;
    let end = from;
    for (const [at, frame] of chunk.frames.entries()) {
      const place = placeInTime(frame);
      const isBehindDamage = frame.offset > end;
      const mayBegin = isBehindDamage || (!isInCopy && !isInOrder(latest, place));
      if (mayBegin) before = await readBefore(end);
      end = frame.next;
      isInCopy = (mayBegin || isInCopy) && before.includes(bytesOf(frame));
      if (isInCopy) {
        if (mayBegin && !isBehindDamage) chunk.damagedPlaces += 1;
        kept ??= chunk.frames.slice(0, at);
        chunk.damagedBytes += frame.next - frame.offset;
      } else {
        kept?.push(frame);
        latest = place ?? latest;
      }
    }
    if (kept !== undefined) chunk.frames = kept;
  };
}

function bytesOf({ bytes, end, offset, next }: Place): Buffer {
  return bytes.subarray(end - (next - offset), end);
}
