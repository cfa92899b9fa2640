import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncFolder } from '../../files/sync-folder.ts';
import { CommandError } from '../command.ts';

/**
 * The destination of a command's output. A failed write throws an error with a message for the operator; any
 * other fault passes through.
 */
export type Sink = { write(chunk: Uint8Array): Promise<void> };

/**
 * Writes a file that is either complete or absent: it is named FILE.part until it is complete and on disk.
 * Only its owner can read it.
 */
export async function writeWholeFile<T>(path: string, work: (sink: Sink) => Promise<T>): Promise<T> {
  refuseExisting(path);
  const part = `${path}.part`;
  const handle = await openPart(part);
  try {
    const result = await work({ write: (chunk) => named(path, handle.appendFile(chunk)) });
    await named(path, handle.sync());
    await handle.close();
    refuseExisting(path);
    await named(path, rename(part, path));
    await named(path, syncFolder(dirname(resolve(path))));
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(part, { force: true });
    throw error;
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path))
    throw new CommandError(`${path}: this file already exists. Choose another name, or remove it.`);
}

async function openPart(part: string): Promise<FileHandle> {
  try {
    return await open(part, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw inWords(part, error);
    throw new CommandError(
      `${part}: this file already exists. Another export is writing it; ` +
        'if that export was killed, remove the file.',
    );
  }
}

async function named<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw inWords(path, error);
  }
}

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than this disk or this user allows',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  EPIPE: 'the reader closed the pipe before everything was written',
};

export function inWords(path: string, error: unknown): CommandError {
  const reason = reasons[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
  return new CommandError(`${path}: ${reason}.`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
