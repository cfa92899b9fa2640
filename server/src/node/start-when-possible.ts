import { setTimeout as delay } from 'node:timers/promises';
import { hasSpace, isNoSpace } from '../files/disk-space.ts';
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

type Want = 'space' | 'database';

/** What a server that waits says at /health, in the log and on the terminal. */
const reasons: Record<Want, { part: string; why: string; short: string }> = {
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
};

/**
 * Starts the server. If the disk is full or PostgreSQL is away, it answers 503 and starts automatically as soon
 * as that is over.
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
        const { part, why, short } = reasons[want];
        waiting = await openWaitingServer({ host, port, degraded: { part, why }, retryAfterSeconds });
        // If the port is 0, the node takes over the port that clients are already using.
        port = waiting.address.port;
        log.error({ err: error, dataDir }, `cannot start: ${why}`);
        process.stderr.write(
          `Trackside is running at ${originOf(waiting)} ` + `but answers every request with 503: ${short}.\n`,
        );
      }
      do await delay(lookEveryMs);
      while (want === 'space' && !(await hasSpace(dataDir).catch(() => true)));
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
  const fault = readSystemFault(error);
  if (fault?.kind === 'away') return 'database';
  if (fault === undefined && error instanceof OperatorError) return undefined;
  const isFull = fault?.kind === 'full' || isNoSpace(error) || !(await hasSpace(dataDir).catch(() => true));
  return isFull ? 'space' : undefined;
}
