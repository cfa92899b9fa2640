import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sqliteCode, sqliteCodes } from './sqlite-code.ts';

/** More than a server writes at its start before it can refuse records itself. */
const probeBytes = 1024 * 1024;

/** Whether the disk has no bytes, no inodes, or no quota left. */
export function isNoSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT' || sqliteCode(error) === sqliteCodes.full;
}

/**
 * Finds out by writing: SQLite reports a full disk in many ways, and the number of free bytes says nothing
 * about inodes and quotas.
 */
export async function hasSpace(folder: string): Promise<boolean> {
  const path = join(folder, `.space-${randomBytes(4).toString('hex')}`);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(Buffer.alloc(probeBytes, 1));
      await file.sync();
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (isNoSpace(error)) return false;
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}
