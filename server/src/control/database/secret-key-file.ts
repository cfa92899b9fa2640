import { randomBytes } from 'node:crypto';
import { chmod, chown, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Disk, localDisk } from '../../files/disk.ts';
import { isKeyOpen, showMode } from '../../files/folder-access.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { writeFully } from '../../files/write-fully.ts';
import { ControlOpenError, SecretKeyError } from './control-error.ts';

const keyBytes = 32;

/** Reads the secret key. Undefined if there is no such file. */
export async function readSecretKey(path: string, disk: Disk = localDisk): Promise<Buffer | undefined> {
  let text: string;
  try {
    const { mode } = await disk.stat(path);
    if (isKeyOpen(mode)) {
      throw new ControlOpenError(
        `The secret key file ${path} has mode ${showMode(mode)}: ` +
          `other users must not be able to read or change it. Run: chmod 600 ${path}`,
      );
    }
    text = await disk.readText(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes) {
    throw new SecretKeyError(
      `The secret key file ${path} holds ${key.length} bytes: expected ${keyBytes} bytes in base64. ` +
        'Restore the file from your copy.',
    );
  }
  return key;
}

/** The file appears complete and on disk, or not at all. If another process is first, its key is used. */
export async function createSecretKey(path: string, disk: Disk = localDisk): Promise<Buffer> {
  await makeFolder(dirname(path), disk);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await disk.open(draft, 'wx', 0o600);
  try {
    await writeFully(file, Buffer.from(`${randomBytes(keyBytes).toString('base64')}\n`), 0);
    await file.sync();
    // A link fails if the name is taken. A rename would replace the other process's key.
    await disk.link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await file.close();
    await disk.unlink(draft);
  }
  await syncFolder(dirname(path), disk);
  const key = await readSecretKey(path, disk);
  if (key === undefined) throw new Error(`The secret key file ${path} vanished while it was being created`);
  return key;
}

/** Where the key of a rotation waits until the database is encrypted with it. */
export async function findNextKeyFile(path: string): Promise<string> {
  return `${await realpath(path)}.next`;
}

/** Gives a new key to the users who could read the old one, if this user may do that. */
export async function copyAccess(from: string, to: string): Promise<void> {
  const [old, now] = [await stat(from), await stat(to)];
  if (old.uid !== now.uid || old.gid !== now.gid) await chown(to, old.uid, old.gid);
  await chmod(to, old.mode & 0o777);
}

/** Puts the key of a rotation in place. Another process may have done it already. */
export async function replaceSecretKey(path: string): Promise<void> {
  const file = await realpath(path);
  await rename(await findNextKeyFile(path), file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await syncFolder(dirname(file));
}
