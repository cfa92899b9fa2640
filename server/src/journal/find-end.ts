import type { Disk } from '../files/disk.ts';

const chunkBytes = 1024 * 1024;

/**
 * Finds where the content of a file ends. The segment that is being written may have zeros behind its last
 * frame, for frames to come. No frame ends with a zero.
 */
export async function findEnd(disk: Disk, path: string, size: number): Promise<number> {
  const file = await disk.open(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(chunkBytes, size));
    for (let to = size; to > 0; ) {
      const from = Math.max(0, to - buffer.length);
      const { bytesRead } = await file.read(buffer, 0, to - from, from);
      for (let at = bytesRead - 1; at >= 0; at -= 1) if (buffer[at] !== 0) return from + at + 1;
      to = from;
    }
    return 0;
  } finally {
    await file.close();
  }
}
