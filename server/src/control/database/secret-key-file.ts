import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isKeyOpen, showMode } from '../../files/folder-access.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { ControlOpenError } from './control-error.ts';

const keyBytes = 32;

/** Reads the secret key. Undefined if there is no such file. */
export async function readSecretKey(path: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    const { mode } = await stat(path);
    if (isKeyOpen(mode)) {
      throw new ControlOpenError(
        `The secret key file ${path} has mode ${showMode(mode)}: ` +
          `other users must not be able to read or change it. Run: chmod 600 ${path}`,
      );
    }
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes) {
    throw new ControlOpenError(
      `The secret key file ${path} holds ${key.length} bytes: expected ${keyBytes} bytes in base64. ` +
        'Restore the file from your copy.',
    );
  }
  return key;
}

/** The file appears complete and on disk, or not at all. If another process is first, its key is used. */
export async function createSecretKey(path: string): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`);
    await file.sync();
    // A link fails if the name is taken. A rename would replace the other process's key.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await file.close();
    await unlink(draft);
  }
  await syncFolder(dirname(path));
  const key = await readSecretKey(path);
  if (key === undefined) throw new Error(`The secret key file ${path} vanished while it was being created`);
  return key;
}
