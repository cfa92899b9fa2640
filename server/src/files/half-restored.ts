import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import type { dataFolder } from './data-folder.ts';

type DataFolder = ReturnType<typeof dataFolder>;

/** A restore into the folder is under way or was interrupted. */
export class HalfRestoredError extends OperatorError {
  override name = 'HalfRestoredError';

  constructor({ root }: DataFolder) {
    super(
      `A restore into ${root} is not finished. If it was interrupted, run \`trackside restore\` again; ` +
        'it begins anew.',
    );
  }
}

/** Whether a restore into the folder was begun and is not finished: the control database comes last. */
export function isHalfRestored(folder: DataFolder): boolean {
  return !hasControl(folder) && existsSync(folder.restoring);
}

export function hasControl({ control }: DataFolder): boolean {
  return (statSync(join(control, 'control.db'), { throwIfNoEntry: false })?.size ?? 0) > 0;
}
