import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from './data-folder.ts';

/** Where one process of a server keeps its records. The first one has them where they have always been. */
export type WorkerFolder = {
  /** Counted from 1. */
  worker: number;
  root: string;
  journal: string;
  /** Keeps out a process of an earlier server that has not ended yet. */
  lock: string;
  /** Says that there was a journal here, in case it gets lost. */
  used: string;
  /** Where other workers of the same server send records that only this one can judge. */
  intakeSocket: string;
};

export function workerFolder(dataDir: string, worker: number): WorkerFolder {
  const { workers, journal } = dataFolder(dataDir);
  const root = join(workers, String(worker));
  return {
    worker,
    root,
    journal: worker === 1 ? journal : join(root, 'journal'),
    lock: join(root, 'lock'),
    used: join(root, 'used'),
    intakeSocket: join(root, 'intake.sock'),
  };
}

/** Lists the folders of all workers that have ever had a journal here, beginning with the first worker. */
export async function listWorkerFolders(dataDir: string): Promise<WorkerFolder[]> {
  const names = await readdir(dataFolder(dataDir).workers).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const others = names
    .filter((name) => /^[1-9]\d{0,3}$/.test(name))
    .map(Number)
    .filter((worker) => worker > 1);
  return [1, ...others.sort((a, b) => a - b)].map((worker) => workerFolder(dataDir, worker));
}
