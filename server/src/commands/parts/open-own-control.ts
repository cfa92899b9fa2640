import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ControlMissingError, ControlOpenError } from '../../control/database/control-error.ts';
import { type Control, openControl } from '../../control/open-control.ts';
import type { dataFolder } from '../../files/data-folder.ts';
import { HalfRestoredError, isHalfRestored } from '../../files/half-restored.ts';
import { readMark, writeMark } from '../../files/mark-file.ts';
import { readSystemFault } from '../../files/system-fault.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { isInUse } from './is-in-use.ts';

type DataFolder = ReturnType<typeof dataFolder>;

/**
 * The data folder has lost its control database. Without it, a valid API key cannot be told from a wrong one.
 */
export class LostControlError extends ControlOpenError {
  override name = 'LostControlError';
}

/**
 * Opens the control database that belongs to a data folder. A folder that has lost it does not get a new one:
 * that would look like a new installation, refuse every API key, and let a stranger set it up.
 */
export async function openOwnControl(options: {
  folder: DataFolder;
  databaseUrl?: string | undefined;
  isPatient?: boolean | undefined;
  mustBeWhole?: boolean | undefined;
  secretKeyFile: string;
  clock: Clock;
  log: Log;
}): Promise<Control> {
  const { folder, ...rest } = options;
  if (options.databaseUrl !== undefined) return await openShared(options);
  const file = join(folder.control, 'control.db');
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  const isMissing = size === undefined || size === 0;
  if (isHalfRestored(folder)) throw new HalfRestoredError(folder);
  if (isMissing && (await isInUse(folder))) {
    throw new LostControlError(
      `${file} is ${size === 0 ? 'empty' : 'missing'}, but ${folder.root} is not a new data folder. Check that its disk is mounted, or ` +
        'restore control.db and secret.key from a backup; then start the server again. ' +
        `To start over on purpose, move ${folder.root} away first.`,
    );
  }
  const control = await openControl({ ...rest, folder: folder.control }).catch((error: unknown) => {
    if (!(error instanceof Error) || readSystemFault(error)?.kind !== 'damaged') throw error;
    throw new LostControlError(error.message, { cause: error });
  });
  return await checkFolder(options, control, {
    says: `${file} belongs to a different installation than the rest of ${folder.root}`,
    todo: 'Restore the control.db of this folder',
    ifRight: 'If this control.db is the right one',
  });
}

/** The same for a database that is not in the folder. Other nodes may use it too. */
async function openShared(options: Parameters<typeof openOwnControl>[0]): Promise<Control> {
  const { folder, ...rest } = options;
  const mustExist = await isInUse(folder);
  const control = await openControl({ ...rest, folder: folder.control, mustExist }).catch(
    (error: unknown) => {
      if (!(error instanceof ControlMissingError)) throw error;
      throw new LostControlError(
        `The database in TRACKSIDE_DATABASE_URL is empty, but ${folder.root} is not a new data folder. ` +
          'Check that the URL names the right database, or restore it from a backup; ' +
          'then start the server again. To move this installation there, run `trackside move`. ' +
          `To start over on purpose, move ${folder.root} away first.`,
      );
    },
  );
  return await checkFolder(options, control, {
    says: `The database in TRACKSIDE_DATABASE_URL belongs to a different installation than ${folder.root}`,
    todo: 'Check that the URL names the right database',
    ifRight: 'If this database is the right one',
  });
}

async function checkFolder(
  { folder, log }: { folder: DataFolder; log: Log },
  control: Control,
  { says, todo, ifRight }: { says: string; todo: string; ifRight: string },
): Promise<Control> {
  try {
    const [expected, found] = [await readMark(folder.installation), await control.installation()];
    if (expected !== undefined && expected !== found)
      throw new LostControlError(
        `${says}. ${todo}, then start the server again. ${ifRight}, ` +
          `delete ${folder.installation} and ${folder.lastWebsite} first.`,
      );
    await keepLostWebsites(folder, control, log);
    return control;
  } catch (error) {
    await control.close();
    throw error;
  }
}

/**
 * A control database that was restored alone may be older than the records in the folder. A new website must not
 * get the records of one that is no longer known.
 */
async function keepLostWebsites(folder: DataFolder, { websites }: Control, log: Log): Promise<void> {
  const last = Number((await readMark(folder.lastWebsite)) ?? 0);
  if ((await websites.lastId()) < last) await websites.lose(last);
  const lostIds = await websites.lostIds();
  if (lostIds.length === 0) return;
  log.warn(
    { lostIds: lostIds.slice(0, 20) },
    'the control database was older than the records, and lacks these websites. To add one of them again, ' +
      'with its records, run: trackside website add DOMAIN --lost-id ID',
  );
}

/**
 * Marks the folder with the id of its control database if it has no readable mark: at the first start, after
 * an upgrade from a version without marks, and after damage to the mark. Only the server does this. A command
 * may run as another user, who would then own the file.
 */
export async function markFolder(folder: DataFolder, control: Pick<Control, 'installation'>): Promise<void> {
  if ((await readMark(folder.installation)) !== undefined) return;
  await writeMark(folder.installation, await control.installation());
}
