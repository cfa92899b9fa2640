import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { dataFolder } from '../../../files/data-folder.ts';
import type { Clock } from '../../../time/clock.ts';
import { type Finding, fault, ok } from './finding.ts';

const toleranceMs = 60_000;
const oldestPlausible = Date.UTC(2026, 0, 1);

/**
 * Checks the clock without another one to compare it with. Files from the future, or a date before this
 * software existed, give a wrong clock away.
 */
export async function checkClock(folder: ReturnType<typeof dataFolder>, clock: Clock): Promise<Finding[]> {
  const now = clock.now();
  const shown = `${new Date(now).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  if (now < oldestPlausible)
    return [fault(`the clock says ${shown}, which cannot be right`, 'set the clock; run an NTP client')];
  const names = await readdir(folder.journal).catch((): string[] => []);
  for (const name of names) {
    const { mtimeMs } = await stat(join(folder.journal, name)).catch(() => ({ mtimeMs: 0 }));
    if (mtimeMs > now + toleranceMs) {
      const says = `the clock says ${shown}, but ${name} was written after that`;
      return [fault(says, 'set the clock; run an NTP client')];
    }
  }
  return [ok(shown)];
}
