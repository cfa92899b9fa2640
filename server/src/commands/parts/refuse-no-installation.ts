import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { CommandError } from '../command.ts';
import { isInUse } from './is-in-use.ts';

/**
 * Refuses a data folder that has no installation. Otherwise, a mistyped one would become an empty installation.
 */
export async function refuseNoInstallation(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  missing = 'There is no installation',
): Promise<void> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== undefined) return;
  const folder = dataFolder(dataDir);
  // What else is wrong with such a folder is explained when its control database is opened.
  const signs = [folder.control, folder.restoring, folder.journalLock];
  if (signs.some((path) => existsSync(path)) || (await isInUse(folder))) return;
  throw new CommandError(`${missing} in ${dataDir}. Name the data folder of the server with --data-dir.`);
}
