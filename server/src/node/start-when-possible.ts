import { setTimeout as delay } from 'node:timers/promises';
import { dataFolder } from '../files/data-folder.ts';
import { hasSpace, isNoSpace } from '../files/disk-space.ts';
import { takeFolderLock } from '../files/folder-lock.ts';
import { HalfRestoredError, hasControl } from '../files/half-restored.ts';
import { writeOrigin } from '../files/origin-file.ts';
import { readSystemFault } from '../files/system-fault.ts';
import type { Log } from '../log.ts';
import { OperatorError } from '../operator-error.ts';
import { openWaitingServer, type WaitingServer } from './open-waiting-server.ts';

const lookEveryMs = 1000;
const retryAfterSeconds = 30;

/**
 * `beforeListen` must be called before the port is opened. Until then, a waiting server may hold the port.
 */
type Start<T> = (port: number, beforeListen: () => Promise<void>) => Promise<T>;

type Want = 'space' | 'database' | 'restore';

/** What a server that waits says at /health, in the log and on the terminal. */
const reasons: Record<Want, { part: string; state?: string; why: string; short: string }> = {
  space: {
    part: 'disk',
    why: 'the disk is full: free up space, and the server starts automatically',
    short: 'the disk is full',
  },
  database: {
    part: 'control',
    why: 'the settings database cannot be reached: the server starts automatically as soon as it can',
    short: 'the settings database cannot be reached',
  },
  restore: {
    part: 'control',
    state: 'restoring',
    why:
      'a restore into the data folder is not finished: run `trackside restore` again if it was interrupted, ' +
      'and the server starts automatically',
    short: 'a restore into the data folder is not finished',
  },
};

/**
 * Starts the server. If the disk is full, PostgreSQL is away or a restore is not finished, it answers 503 and
 * starts automatically as soon as that is over.
 */
export async function startWhenPossible<T>(options: {
  dataDir: string;
  host: string;
  port: number;
  start: Start<T>;
  log: Log;
}): Promise<T> {
  const { dataDir, host, start, log } = options;
  let { port } = options;
  let waiting: WaitingServer | undefined;
  let waitingFor: Want | undefined;
  const stopWaiting = async () => {
    await waiting?.close();
    waiting = undefined;
  };
  for (;;) {
    try {
      return await start(port, stopWaiting);
    } catch (error) {
      const want = await wantOf(error, dataDir);
      if (want === undefined) {
        await stopWaiting();
        throw error;
      }
      if (waiting === undefined || waitingFor !== want) {
        await stopWaiting();
        waitingFor = want;
        const { short, ...degraded } = reasons[want];
        waiting = await openWaitingServer({ host, port, degraded, retryAfterSeconds });
        // If the port is 0, the node takes over the port that clients are already using.
        port = waiting.address.port;
        log.error({ err: error, dataDir }, `cannot start: ${degraded.why}`);
        process.stderr.write(
          `Trackside is running at ${originOf(waiting)} ` + `but answers every request with 503: ${short}.\n`,
        );
        // The folder isn't held, so `doctor` has no other way to find this server.
        if (want === 'restore') await writeOrigin(dataFolder(dataDir).origin, originOf(waiting), log);
      }
      do await delay(lookEveryMs);
      while (!(await isWorthTrying(want, dataDir)));
    }
  }
}

export function originOf({
  address,
}: {
  address: { address: string; family: string; port: number };
}): string {
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** Returns what the server waits for, or undefined if waiting would not help. */
async function wantOf(error: unknown, dataDir: string): Promise<Want | undefined> {
  if (error instanceof HalfRestoredError) return 'restore';
  const fault = readSystemFault(error);
  if (fault?.kind === 'away') return 'database';
  if (fault === undefined && error instanceof OperatorError) return undefined;
  const isFull = fault?.kind === 'full' || isNoSpace(error) || !(await hasSpace(dataDir).catch(() => true));
  return isFull ? 'space' : undefined;
}

async function isWorthTrying(want: Want, dataDir: string): Promise<boolean> {
  if (want === 'space') return await hasSpace(dataDir).catch(() => true);
  return want === 'database' || isRestored(dataDir);
}

/** A folder that is gone isn't restored: a server must not begin a new installation there. */
function isRestored(dataDir: string): boolean {
  const folder = dataFolder(dataDir);
  if (!hasControl(folder)) return false;
  // The command holds the lock until it has ended.
  const lock = takeFolderLock(folder.nodeLock);
  lock?.release();
  return lock !== undefined;
}
