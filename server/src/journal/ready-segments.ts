import { constants } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Disk, type DiskFile, unlinkIfThere } from '../files/disk.ts';
import type { Log } from '../log.ts';

/** A file of zeros that can become the next segment. */
export type ReadyFile = { file: DiskFile; path: string; bytes: number };

const fileName = 'next.ready';
const pieceBytes = 128 * 1024;
/** The disk has other things to do between two pieces. */
const pauseMs = 10;

/**
 * Makes files for the next segments ahead of time, filled with zeros. A write that makes a file longer waits
 * for the file system's own journal, and with it for whatever else it is writing. A write that replaces zeros
 * waits only for its own bytes. Nothing depends on such a file being there.
 */
export function createReadySegments({ disk, folder, log }: { disk: Disk; folder: string; log: Log }) {
  const path = join(folder, fileName);
  let ready: ReadyFile | undefined;
  let isStopped = false;
  let making: Promise<void> | undefined;

  async function make(bytes: number): Promise<void> {
    await unlinkIfThere(disk, path);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;
    const file = await disk.open(path, flags, 0o600);
    try {
      const zeros = Buffer.alloc(Math.min(bytes, pieceBytes));
      for (let at = 0; at < bytes && !isStopped; ) {
        const { bytesWritten } = await file.write(zeros, 0, Math.min(zeros.length, bytes - at), at);
        if (bytesWritten === 0) throw new Error('the disk accepted no bytes');
        at += bytesWritten;
        if (at < bytes) await delay(pauseMs);
      }
    } catch (error) {
      await file.close().catch(() => {});
      await unlinkIfThere(disk, path).catch(() => {});
      throw error;
    }
    ready = { file, path, bytes };
  }

  return {
    /** Removes what a process left that was killed. */
    open: () => unlinkIfThere(disk, path),
    /** Makes a file of this size in the background, unless there is one. */
    prepare(bytes: number): void {
      if (isStopped || ready !== undefined || making !== undefined) return;
      making = make(bytes)
        // Segments work without it, and if the disk is at fault, the next record will tell.
        .catch((error: unknown) => log.debug({ err: error }, 'cannot prepare the next segment'))
        .finally(() => {
          making = undefined;
        });
    },
    isReady: (): boolean => ready !== undefined,
    /** Hands out the file that is ready, if there is one. It belongs to the caller then. */
    take(): ReadyFile | undefined {
      const taken = ready;
      ready = undefined;
      return taken;
    },
    async stop(): Promise<void> {
      isStopped = true;
      await making;
      const { file } = ready ?? {};
      ready = undefined;
      await file?.close().catch(() => {});
      if (file !== undefined) await unlinkIfThere(disk, path).catch(() => {});
    },
  };
}
