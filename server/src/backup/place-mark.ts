import type { Control } from '../control/open-control.ts';
import { OperatorError } from '../operator-error.ts';
import type { BackupPlace } from './backup-place.ts';

const path = 'trackside-backups.json';

/** Makes sure that a place can take a backup. One that had backups is never taken for a new one. */
export async function preparePlace(
  place: BackupPlace,
  control: Pick<Control, 'backupPlaces' | 'installation'>,
  { isPractice }: { isPractice: boolean },
): Promise<void> {
  const known = (await control.backupPlaces.list()).find((other) => other.place === place.name);
  if (isPractice && known === undefined && (await isMarked(place)))
    throw new OperatorError(
      `${place.name} holds the backups of the real server, and this data folder is a copy to practice on. ` +
        'Choose another place, or restore again without --practice to replace the real server.',
    );
  const hadBackups = (known?.finishedAt ?? null) !== null;
  await (hadBackups ? assertOwnPlace : markPlace)(place, await control.installation());
}

/**
 * Marks a new place with the installation that it belongs to. Refuses one that belongs to another, or that has
 * other files.
 */
export async function markPlace(place: BackupPlace, installation: string): Promise<void> {
  const found = await readMark(place, installation);
  if (found !== undefined) return refuseOther(place, found, installation);
  if (!(await place.isEmpty()))
    throw new OperatorError(
      `${place.name} is not empty and has no backups in it. Choose an empty folder, or a new folder in it.`,
    );
  await place.write(path, Buffer.from(`${contentOf(installation)}\n`));
}

/** Refuses a place without the mark: a disk that isn't mounted leaves an empty folder behind. */
export async function assertOwnPlace(place: BackupPlace, installation: string): Promise<void> {
  const found = await readMark(place, installation);
  if (found === undefined)
    throw new OperatorError(
      `The backups in ${place.name} are gone. Is its disk mounted? ` +
        `If they are gone for good, run trackside backup ${place.name} --forget.`,
    );
  refuseOther(place, found, installation);
}

/** Whether a place has ever had a backup. */
export async function isMarked(place: BackupPlace): Promise<boolean> {
  return (await place.read(path)) !== undefined;
}

async function readMark(place: BackupPlace, installation: string): Promise<string | undefined> {
  const bytes = await place.read(path);
  if (bytes === undefined) return undefined;
  try {
    const { installation: found } = JSON.parse(bytes.toString('utf8')) as { installation?: string };
    return found ?? '';
  } catch {
    throw new OperatorError(
      `${path} in ${place.name} is damaged. If the backups there are of this installation, ` +
        `replace its content with ${contentOf(installation)}`,
    );
  }
}

const contentOf = (installation: string) => JSON.stringify({ installation });

/** Two installations in one place would remove each other's files. */
function refuseOther(place: BackupPlace, found: string, installation: string): void {
  if (found === installation) return;
  throw new OperatorError(
    `${place.name} holds backups of another installation. Choose another place, or an empty folder in it.`,
  );
}
