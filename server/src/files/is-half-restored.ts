import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { dataFolder } from './data-folder.ts';

/** Whether a restore into the folder was begun and is not finished: the control database comes last. */
export function isHalfRestored({ restoring, control }: ReturnType<typeof dataFolder>): boolean {
  const size = statSync(join(control, 'control.db'), { throwIfNoEntry: false })?.size ?? 0;
  return size === 0 && existsSync(restoring);
}
