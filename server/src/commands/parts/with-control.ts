import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Control } from '../../control/open-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { openLog } from '../../node/open-log.ts';
import type { Clock } from '../../time/clock.ts';
import { openOwnControl } from './open-own-control.ts';

/** Opens control for one piece of work. Safe while a server runs: both use the same database with its own locks. */
export async function withControl<T>(
  { config, clock }: { config: Config; clock: Clock },
  work: (control: Control) => Promise<T>,
): Promise<T> {
  const control = await openOwnControl({
    folder: dataFolder(config.dataDir),
    secretKeyFile: config.secretKeyFile,
    clock,
    log: openLog({ level: 'error', isTerminal: false, to: 'stderr' }),
  });
  try {
    return await work(control);
  } finally {
    await control.close();
  }
}

export function hasData(config: Config): boolean {
  return existsSync(dataFolder(config.dataDir).control);
}
