import type { DiskFile } from './disk.ts';

/** Writes all bytes at `position`, or throws. A full disk can accept part of a write and report success. */
export async function writeFully(
  file: Pick<DiskFile, 'write'>,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0)
      throw new Error(`expected to write ${bytes.length} bytes, the disk accepted only ${done}`);
    done += bytesWritten;
  }
}
