import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { openSecretBox } from '../database/open-secret-box.ts';
import { openMigrated } from '../open-control.ts';
import { datesAround } from '../privacy/keep-salts.ts';
import { createSalts } from '../privacy/salts.ts';
import type { ControlPlace } from './peek-control.ts';

/**
 * Creates new salts in a restored database, for the dates that had not ended when it was backed up. They also
 * show that earlier dates had one. Without any, the installation would pass for a new one, and these dates
 * would get others.
 */
export async function renewSalts(
  options: ControlPlace & { secretKeyFile: string; backedUpAt: number; clock: Clock; log: Log },
): Promise<void> {
  const { secretKeyFile, backedUpAt, log } = options;
  const database = await openMigrated(options);
  try {
    const box = await openSecretBox({ database, secretKeyFile, log });
    await createSalts({ database, box }).ensure(datesAround(backedUpAt));
  } finally {
    await database.close();
  }
}
