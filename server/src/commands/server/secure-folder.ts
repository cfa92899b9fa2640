import { chmod } from 'node:fs/promises';
import type { dataFolder } from '../../files/data-folder.ts';
import { type Exposed, findExposed, showMode } from '../../files/folder-access.ts';
import type { Log } from '../../log.ts';
import { CommandError } from '../command.ts';
import { findOwnership } from './find-ownership.ts';

/**
 * Makes private whatever other users of the machine could read or change, and logs what it changed. Refuses
 * to start if this fails for the secret key or the control database.
 */
export async function secureFolder(options: {
  folder: ReturnType<typeof dataFolder>;
  secretKeyFile: string;
  uid: number;
  log: Pick<Log, 'warn'>;
}): Promise<void> {
  const { folder, uid, log } = options;
  const mended: Exposed[] = [];
  const left: Exposed[] = [];
  for (const exposed of await findExposed(options)) {
    const isMended = exposed.canMend && (await tighten(exposed));
    (isMended ? mended : left).push(exposed);
  }
  const grave = left.find(({ isGrave }) => isGrave);
  if (grave !== undefined) {
    throw new CommandError(
      `The ${grave.kind} ${grave.path} has mode ${showMode(grave.mode)}: ` +
        'other users can read or change it. ' +
        `Run, as its owner: chmod ${showMode(grave.wanted)} ${grave.path}`,
    );
  }
  if (mended.length > 0)
    log.warn(`other users of this machine could open ${spell(mended)}; that is fixed now`);
  if (left.length > 0) {
    const { path, wanted } = left[0]!;
    log.warn(`other users of this machine can open ${spell(left)}: chmod ${showMode(wanted)} ${path}`);
  }
  for (const { says, todo } of await findOwnership({ dataDir: folder.root, uid }))
    log.warn(`${says}: ${todo}`);
}

/** Names the worst file and says how many more there are. */
function spell(exposed: Exposed[]): string {
  const { path, mode } = exposed.find(({ isGrave }) => isGrave) ?? exposed[0]!;
  const more = exposed.length === 1 ? '' : ` and ${exposed.length - 1} more in the data folder`;
  return `${path} (mode ${showMode(mode)})${more}`;
}

async function tighten({ path, wanted }: Exposed): Promise<boolean> {
  return await chmod(path, wanted).then(
    () => true,
    () => false,
  );
}
