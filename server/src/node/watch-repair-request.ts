import { access, readFile, unlink } from 'node:fs/promises';
import type { dataFolder } from '../files/data-folder.ts';
import { handOverFile } from '../files/hand-over-file.ts';
import { replaceStore } from '../loader/replace-store.ts';
import type { Log } from '../log.ts';
import type { EngineSupervisor } from './supervise-engine.ts';

export type RepairAnswer = { token: string } & ({ aside: string | null } | { refusal: string });

const pollMs = 500;

/**
 * Sets the store aside when `trackside repair` asks for it. The running node does this, because only the node
 * can keep the engine away from the folder in the meantime. The command asks by creating a file, and reads
 * the answer from another one.
 */
export function watchRepairRequest(options: {
  folder: ReturnType<typeof dataFolder>;
  engine: Pick<EngineSupervisor, 'pause' | 'resume'>;
  log: Log;
}): { stop(): void } {
  const { folder, engine, log } = options;
  let isBusy = false;

  const answer = (done: RepairAnswer) => handOverFile(`${folder.repairRequest}.done`, JSON.stringify(done));

  const repair = async () => {
    const token = await readFile(folder.repairRequest, 'utf8');
    // A command of an earlier version is still writing it.
    if (token === '') return;
    await unlink(folder.repairRequest);
    log.warn('repair requested: setting the store aside');
    await engine.pause();
    try {
      const aside = await replaceStore(folder, Date.now());
      await answer({ token, aside: aside ?? null });
      log.warn({ aside }, 'store set aside: loading the journal into a new one');
    } catch (error) {
      await answer({ token, refusal: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      engine.resume();
    }
  };

  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    // This isn't synchronous, because a disk that hangs must not block the thread that answers records.
    access(folder.repairRequest)
      .then(
        () => true,
        () => false,
      )
      .then((isThere) => (isThere ? repair() : undefined))
      .catch((error: unknown) => log.error({ err: error }, 'repair failed'))
      .finally(() => {
        isBusy = false;
      });
  }, pollMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
