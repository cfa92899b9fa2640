import { setTimeout as delay } from 'node:timers/promises';
import type { Disk, DiskFile } from './disk.ts';

/** The part of a disk that readers need. */
export type ReadableDisk = {
  open(path: string, flags: string): Promise<Pick<DiskFile, 'read' | 'close'>>;
};

/** A disk that fails to read once may succeed in a moment, and nothing is given up before that. */
export const secondLookMs = 200;
/** What is given up may be lost for good, so a link to the disk that is reset gets time to come back. */
const pausesMs = [secondLookMs, 800, 2000];
/** Disks fail in sectors of this size, or smaller ones. */
const sectorBytes = 4096;

/** Sectors that the disk can't read are zeros in its files, so that they count as damage like any other. */
export function readPastFaults(disk: Pick<Disk, 'open'>): ReadableDisk {
  return {
    async open(path, flags) {
      const file = await disk.open(path, flags);
      return { read: (...where) => read(file, ...where), close: () => file.close() };
    },
  };
}

/** Reads a text, with zeros in place of what the disk can't read. */
export async function readTextPastFaults(disk: Pick<Disk, 'open' | 'stat'>, path: string): Promise<string> {
  const { size } = await disk.stat(path);
  const file = await disk.open(path, 'r');
  try {
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await read(file, buffer, 0, size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function read(file: Pick<DiskFile, 'read'>, ...where: Parameters<DiskFile['read']>) {
  for (const pauseMs of pausesMs) {
    const result = await readOrFail(file, ...where);
    if (result !== undefined) return result;
    await delay(pauseMs);
  }
  return (await readOrFail(file, ...where)) ?? (await readSectors(file, ...where));
}

/** Undefined if the disk can't read it. */
async function readOrFail(file: Pick<DiskFile, 'read'>, ...where: Parameters<DiskFile['read']>) {
  try {
    return await file.read(...where);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
    return undefined;
  }
}

async function readSectors(
  file: Pick<DiskFile, 'read'>,
  buffer: Buffer,
  offset: number,
  length: number,
  position: number,
): Promise<{ bytesRead: number }> {
  let done = 0;
  while (done < length) {
    const at = position + done;
    const bytes = Math.min(length - done, sectorBytes - (at % sectorBytes));
    const result = await readOrFail(file, buffer, offset + done, bytes, at);
    if (result?.bytesRead === 0) break;
    if (result === undefined) buffer.fill(0, offset + done, offset + done + bytes);
    done += result?.bytesRead ?? bytes;
  }
  return { bytesRead: done };
}
