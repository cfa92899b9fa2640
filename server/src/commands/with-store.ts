import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Clock } from '../core/clock.ts';
import { dataFolder } from '../core/data-folder.ts';
import { takeFolderLock } from '../core/folder-lock.ts';
import { openLog } from '../serve/open-log.ts';
import { superviseEngine } from '../serve/supervise-engine.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { CommandError } from './command.ts';

const startMs = 60_000;

/**
 * Opens the store for one piece of work: through the running server's engine, or through one of its own when no server
 * runs on the folder. `isServerRunning` tells which.
 */
export async function withStore<T>(
  { config, clock }: { config: Config; clock: Clock },
  work: (store: Store, isServerRunning: boolean) => Promise<T>,
): Promise<T> {
  const folder = dataFolder(config.dataDir);
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  const lock = takeFolderLock(folder.nodeLock);
  if (lock === undefined) {
    const store = openStore({ socketPath: folder.engineSocket, use: 'asking', log });
    try {
      if (!(await store.ping())) {
        throw new CommandError('The server runs, but its engine does not answer: see `trackside doctor`.');
      }
      await untilMigrated(store);
      return await work(store, true);
    } finally {
      await store.close();
    }
  }
  const engine = superviseEngine({
    folder: folder.store,
    socketPath: folder.engineSocket,
    maxMemoryBytes: config.engineMaxMemoryBytes,
    sessions: 1,
    clock,
    log,
  });
  const store = openStore({ socketPath: folder.engineSocket, use: 'asking', log });
  try {
    await untilReady(engine);
    await store.migrate();
    return await work(store, false);
  } finally {
    await store.close();
    await engine.stop();
    lock.release();
  }
}

/** A server that has just started makes its tables in the first seconds. */
async function untilMigrated(store: Store): Promise<void> {
  const deadlineMs = performance.now() + startMs;
  while (!(await store.isMigrated())) {
    if (performance.now() > deadlineMs)
      throw new CommandError('The server runs, but its store is not ready: see `trackside doctor`.');
    await delay(100);
  }
}

async function untilReady(engine: ReturnType<typeof superviseEngine>): Promise<void> {
  const ready = new EventTarget();
  engine.onReady(() => ready.dispatchEvent(new Event('ready')));
  const watch = setInterval(() => {
    if (engine.state().state === 'cannot-open') ready.dispatchEvent(new Event('ready'));
  }, 100);
  try {
    if (engine.state().state !== 'ready')
      await once(ready, 'ready', { signal: AbortSignal.timeout(startMs) });
  } finally {
    clearInterval(watch);
  }
  const { state, lastError } = engine.state();
  if (state !== 'ready')
    throw new CommandError(`The store cannot be opened: ${lastError ?? state}. See \`trackside doctor\`.`);
}
