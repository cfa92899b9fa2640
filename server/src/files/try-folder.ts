import { open, readdir, rm } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';
import { isNoSpace } from './disk-space.ts';
import { readSystemFault } from './system-fault.ts';

/** Even a slow, busy disk answers within this time. */
export const answersWithinMs = 20_000;

/** The file system has not responded. Its calls may never return, not even when the process exits. */
export class HangingFolderError extends OperatorError {
  override name = 'HangingFolderError';
}

type Options = {
  folder: string;
  /** A small file that is written and removed. */
  probe: string;
  /** Creates the folder, which can hang too. */
  make: () => Promise<void>;
  withinMs: number;
};

/**
 * Creates a folder, and checks whether its file system accepts a file and syncs it. Otherwise a network share
 * that is away would block the start without any message.
 */
export async function tryFolder({ folder, probe, make, withinMs }: Options): Promise<void> {
  await answerOf({ folder, withinMs }, () => make().then(() => writeProbe(folder, probe)));
}

/**
 * Lists a folder, to see whether its file system responds. Opening a file of it would otherwise block the
 * process without any message. A folder that is missing or closed to this user is for others to explain.
 */
export async function lookAtFolder(options: Pick<Options, 'folder' | 'withinMs'>): Promise<void> {
  await answerOf(options, () =>
    readdir(options.folder).then(
      () => {},
      () => {},
    ),
  );
}

/** Waits for work on a folder, for a limited time. */
export async function answerOf(
  { folder, withinMs }: Pick<Options, 'folder' | 'withinMs'>,
  work: () => Promise<void>,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hanging = new Promise<never>((_, reject) => {
    const message =
      `${folder}: its file system has not answered for ${withinMs / 1000} seconds. If it is a network ` +
      'share, check that its server can be reached and mount it again, or choose another --data-dir, on a ' +
      'local disk.';
    timer = setTimeout(() => reject(new HangingFolderError(message)), withinMs);
  });
  try {
    await Promise.race([work(), hanging]);
  } finally {
    clearTimeout(timer);
  }
}

async function writeProbe(folder: string, probe: string): Promise<void> {
  try {
    const file = await open(probe, 'w', 0o600);
    try {
      await file.writeFile('Trackside\n');
      await file.sync();
    } finally {
      await file.close();
    }
    await rm(probe);
  } catch (error) {
    // The start itself explains these, or waits until there is space.
    if (isNoSpace(error) || readSystemFault(error) !== undefined) return;
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `${folder}: its file system doesn't take a file and sync it (${why}). Choose another --data-dir, on a ` +
        'local disk.',
    );
  }
}
