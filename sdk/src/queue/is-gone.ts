import { fstatSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';

/**
 * Returns whether a file of which this many bytes were written is no longer at its path. Another process may
 * have taken it, or somebody may have deleted it. An open handle doesn't notice either.
 */
export async function isGone(path: string, handle: FileHandle | undefined, bytes: number): Promise<boolean> {
  if (handle === undefined && bytes === 0) return false;
  try {
    const [found, own] = await Promise.all([stat(path), handle?.stat()]);
    return isAnother(found, own, bytes);
  } catch (error) {
    return isMissing(error);
  }
}

/** Does the same at the end of the process, when nothing can be awaited. */
export function isGoneNow(path: string, handle: FileHandle | undefined, bytes: number): boolean {
  if (handle === undefined && bytes === 0) return false;
  try {
    return isAnother(statSync(path), handle && fstatSync(handle.fd), bytes);
  } catch (error) {
    return isMissing(error);
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** A shorter file is one that opening has created anew. */
function isAnother(found: Stats, own: Stats | undefined, bytes: number): boolean {
  return found.size < bytes || (own !== undefined && found.ino !== own.ino);
}
