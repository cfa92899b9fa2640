import type { Disk } from '../files/disk.ts';

/** Disks write at least this much as a whole. */
const sectorBytes = 512;
const chunkBytes = 128 * sectorBytes;

/**
 * Whether a sector between two places of a file was never written. What is missing of an appended file is
 * zeros, and none of our frames has that many. So this is an unfinished write, and no damage to a finished one.
 */
export async function hasUnwrittenSector(
  disk: Disk,
  path: string,
  from: number,
  to: number,
): Promise<boolean> {
  const file = await disk.open(path, 'r');
  try {
    const buffer = Buffer.alloc(chunkBytes);
    for (let at = from; at < to; ) {
      const wanted = Math.min(to, (Math.floor(at / chunkBytes) + 1) * chunkBytes) - at;
      const { bytesRead } = await file.read(buffer, 0, wanted, at);
      if (bytesRead === 0) return false;
      for (let done = 0; done < bytesRead; ) {
        const end = Math.min(bytesRead, done + sectorBytes - ((at + done) % sectorBytes));
        if (buffer.subarray(done, end).every((byte) => byte === 0)) return true;
        done = end;
      }
      at += bytesRead;
    }
    return false;
  } finally {
    await file.close();
  }
}
