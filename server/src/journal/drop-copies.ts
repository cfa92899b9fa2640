import type { DiskFile } from '../files/disk.ts';

/** Where a frame is in the file, and where it ends in `bytes`. */
type Place = { bytes: Buffer; end: number; offset: number; next: number };
type Chunk<Frame> = { frames: Frame[]; damagedBytes: number; damagedPlaces: number };

/** If a piece of a file is there twice, its copy comes right behind it. */
const mostBytesBefore = 2 * 1024 * 1024;

/**
 * Returns a function that leaves out copies of frames, chunk by chunk. If a piece of a segment is there twice,
 * its frames are whole, but one of them is torn in the middle, where the copy begins. So behind damage, a frame
 * that is also right before it is a copy: no two records are the same in all bytes, because each has its own
 * place among those of its millisecond.
 */
export function createDropCopies(file: Pick<DiskFile, 'read'>) {
  let isBehindDamage = false;
  let before: Buffer = Buffer.alloc(0);

  async function readBefore(end: number): Promise<Buffer> {
    const length = Math.min(end, mostBytesBefore);
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(buffer, 0, length, end - length);
    return buffer.subarray(0, bytesRead);
  }

  /** `from` is where the chunk begins in the file. */
  return async <Frame extends Place>(chunk: Chunk<Frame>, from: number): Promise<void> => {
    if (!isBehindDamage && chunk.damagedPlaces === 0) return;
    const kept: Frame[] = [];
    let end = from;
    for (const frame of chunk.frames) {
      if (frame.offset > end) {
        isBehindDamage = true;
        before = await readBefore(end);
      }
      end = frame.next;
      isBehindDamage &&= before.includes(bytesOf(frame));
      if (isBehindDamage) chunk.damagedBytes += frame.next - frame.offset;
      else kept.push(frame);
    }
    chunk.frames = kept;
  };
}

function bytesOf({ bytes, end, offset, next }: Place): Buffer {
  return bytes.subarray(end - (next - offset), end);
}
