import { stat } from 'node:fs/promises';
import { dataFolder } from '../../files/data-folder.ts';
import { userName } from '../../files/user-name.ts';
import { CommandError } from '../command.ts';
import { isServerRunning } from '../server/is-server-running.ts';

type Options = {
  dataDir: string;
  uid: number;
  /** Whether the command writes into the data folder itself, even while a server runs. */
  writesBesideServer: boolean;
};

/**
 * Refuses root on the data folder of another user, who couldn't open what root writes there: the next start or
 * backup would fail.
 */
export async function refuseRoot({ command, ...options }: Options & { command: string }): Promise<void> {
  const owner = await findOwnerBesideRoot(options);
  if (owner === undefined) return;
  throw new CommandError(
    `Run this as the owner of ${options.dataDir}, who can't open files that root creates in it: ` +
      `sudo -u ${owner} trackside ${command}`,
  );
}

/**
 * Returns the name of the folder's owner if this process is root and the owner isn't. While a server runs, it
 * does the writing for most commands, and nobody is returned for those.
 */
export async function findOwnerBesideRoot(options: Options): Promise<string | undefined> {
  const { dataDir, uid, writesBesideServer } = options;
  if (uid !== 0) return undefined;
  const { root, installation } = dataFolder(dataDir);
  // A server creates this file, so its owner runs the server. A folder that is mounted may belong to anyone.
  const owner = (await ownerOf(installation)) ?? (await ownerOf(root)) ?? 0;
  if (owner === 0) return undefined;
  if (!writesBesideServer && isServerRunning(dataDir)) return undefined;
  return await userName(owner);
}

async function ownerOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.uid;
}
