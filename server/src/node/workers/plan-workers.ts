import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '../../files/data-folder.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { listWorkerFolders } from '../../files/worker-folders.ts';
import { ownerOf } from '../../intake/idempotency/owner-of.ts';
import { readSegments } from '../../journal/read-segments.ts';
import type { Clock } from '../../time/clock.ts';

export type WorkersPlan = {
  /** How many processes take records, the first one included. */
  workers: number;
  others: { worker: number; isRetired: boolean }[];
  /** When the number of workers last changed, or 0. Since then, keys belong to the workers that have them. */
  keysMovedAtMs: number;
};

type Remembered = { workers: number; changedAtMs: number };

/** A clock that was set in the meantime may be off by this much. */
const marginMs = 60 * 60_000;

/** Decides which workers there are, and remembers their number for the next start. */
export async function planWorkers(options: {
  dataDir: string;
  workers: number;
  clock: Clock;
}): Promise<WorkersPlan> {
  const { dataDir, workers, clock } = options;
  const found = await listWorkerFolders(dataDir);
  const retired = found.filter(({ worker }) => worker > workers).map(({ worker }) => worker);
  const own = Array.from({ length: workers - 1 }, (_, index) => index + 2);
  const others = [
    ...own.map((worker) => ({ worker, isRetired: false })),
    ...retired.map((worker) => ({ worker, isRetired: true })),
  ];
  const folder = dataFolder(dataDir).workers;
  const file = join(folder, 'count');
  const before = await readRemembered(file);
  if (before?.workers === workers) return { workers, others, keysMovedAtMs: before.changedAtMs };
  const changedAtMs = clock.now();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeRemembered(folder, file, { workers, changedAtMs });
  return { workers, others, keysMovedAtMs: changedAtMs };
}

/** Finds the segments of other workers' journals with keys that may belong to this one now. */
export async function findMovedKeys(
  dataDir: string,
  worker: number,
  { workers, keysMovedAtMs }: Pick<WorkersPlan, 'workers' | 'keysMovedAtMs'>,
) {
  const isOwn = (hash: Buffer) => ownerOf(hash, workers) === worker;
  if (keysMovedAtMs === 0) return { others: [], isOwn };
  const folders = (await listWorkerFolders(dataDir)).filter((folder) => folder.worker !== worker);
  const others = [];
  for (const { journal } of folders) {
    const all = await readSegments(journal).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const segments = all.filter(({ createdAt }) => createdAt <= keysMovedAtMs + marginMs);
    others.push({ folder: journal, segments: () => segments });
  }
  return { others, isOwn };
}

/** Without the file, there was one worker. If it can't be read, nobody knows. */
async function readRemembered(file: string): Promise<Remembered | undefined> {
  try {
    const { workers, changedAtMs } = JSON.parse(await readFile(file, 'utf8'));
    return Number.isInteger(workers) && Number.isFinite(changedAtMs) ? { workers, changedAtMs } : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? { workers: 1, changedAtMs: 0 } : undefined;
  }
}

async function writeRemembered(folder: string, path: string, remembered: Remembered): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(remembered));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(folder);
}
