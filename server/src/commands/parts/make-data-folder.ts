import { isNoSpace } from '../../files/disk-space.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { readSystemFault, SystemFaultError } from '../../files/system-fault.ts';
import { CommandError } from '../command.ts';

export async function makeDataFolder(path: string): Promise<void> {
  try {
    await makeFolder(path);
  } catch (error) {
    if (isNoSpace(error)) throw error;
    const fault = readSystemFault(error);
    if (fault !== undefined) throw new SystemFaultError(fault, error);
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path}: cannot create the data folder (${why}). Choose another --data-dir.`);
  }
}
