import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { dataFolder } from '../../../files/data-folder.ts';
import { listWorkerFolders } from '../../../files/worker-folders.ts';
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
  for (const path of await listFiles(folder.root)) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    if (mtimeMs > now + toleranceMs) {
      const says = `the clock says ${shown}, but ${basename(path)} was written after that`;
      return [fault(says, 'set the clock; run an NTP client')];
    }
  }
  return [ok(shown)];
}

/** The files of all journals. */
async function listFiles(dataDir: string): Promise<string[]> {
  const files: string[] = [];
  for (const { journal } of await listWorkerFolders(dataDir))
    for (const name of await readdir(journal).catch((): string[] => [])) files.push(join(journal, name));
  return files;
}
