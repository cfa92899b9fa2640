import { readlinkSync, statSync, write } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, stat, statfs, unlink } from 'node:fs/promises';

/** An open file. Each call does what the method of Node's `FileHandle` does. */
export type DiskFile = {
  readonly fd: number;
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  datasync(): Promise<void>;
  sync(): Promise<void>;
  stat(): Promise<{ dev: number; ino: number; size: number }>;
  close(): Promise<void>;
};

export type FileFacts = { dev: number; ino: number; size: number; mode: number };

/**
 * Everything that the journal, the ledger and the key files ask of the file system. Tests put a disk in its
 * place that fails or loses power at any of these calls.
 */
export type Disk = {
  open(path: string, flags: string | number, mode?: number): Promise<DiskFile>;
  /** Every record waits for this one, so it has no promise. */
  write(
    fd: number,
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ): void;
  /** Creates a folder and those above it. Returns the first one that it had to create. */
  mkdir(path: string): Promise<string | undefined>;
  readdir(path: string): Promise<string[]>;
  readText(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  /** Fails if there is a file under the new name. */
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  stat(path: string): Promise<FileFacts>;
  /** Undefined if there is no such file. */
  statNow(path: string): FileFacts | undefined;
  /** Where an open file is. It differs once the file is renamed or removed. Undefined if the system doesn't say. */
  placeNow(fd: number): string | undefined;
  freeBytes(folder: string): Promise<number>;
};

export const localDisk: Disk = {
  open,
  write: (fd, buffer, offset, length, position, done) => write(fd, buffer, offset, length, position, done),
  mkdir: (path) => mkdir(path, { recursive: true, mode: 0o700 }),
  readdir: (path) => readdir(path),
  readText: (path) => readFile(path, 'utf8'),
  rename,
  link,
  unlink,
  stat: (path) => stat(path),
  statNow: (path) => statSync(path, { throwIfNoEntry: false }),
  placeNow(fd) {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // Only Linux has it.
      return undefined;
    }
  },
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};

/** Removes a file that may be gone already. */
export async function unlinkIfThere(disk: Disk, path: string): Promise<void> {
  await disk.unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
