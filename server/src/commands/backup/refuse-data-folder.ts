import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { BackupPlace } from '../../backup/backup-place.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { CommandError } from '../command.ts';

/**
 * Refuses a place that is a data folder, lies in the one that is backed up or contains it. A backup in the data
 * folder is lost together with it, and old files that are removed from a place must never be data.
 */
export function refuseDataFolder({ name }: Pick<BackupPlace, 'name'>, dataDir: string): void {
  if (name.startsWith('s3://')) return;
  const [place, data] = [realPathOf(name), realPathOf(dataDir)];
  if (isWithin(place, data))
    throw new CommandError(`${name} is in the data folder. Choose a place on another disk.`);
  if (isWithin(data, place))
    throw new CommandError(`${name} contains the data folder. Choose a place on another disk.`);
  const { control, installation } = dataFolder(name);
  if (existsSync(installation) || existsSync(join(control, 'control.db')))
    throw new CommandError(`${name} is the data folder of a server. Choose an empty folder.`);
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** Follows links. What doesn't exist yet will be in a folder that does. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || dirname(path) === path) throw error;
    return join(realPathOf(dirname(path)), basename(path));
  }
}
