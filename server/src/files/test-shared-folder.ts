import { existsSync, renameSync, rmSync } from 'node:fs';

/** Creates a folder once for all processes of a run of tests. It gets its name when it is complete. */
export async function createSharedFolder(
  folder: string,
  create: (unfinished: string) => void | Promise<void>,
): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.${process.pid}`;
  await create(unfinished);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was first.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}
