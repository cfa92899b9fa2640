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

/**
 * Starts the server. If the disk is full, it answers 503 and starts automatically as soon as there is space.
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
  const stopWaiting = async () => {
    await waiting?.close();
    waiting = undefined;
  };
  for (;;) {
    try {
      return await start(port, stopWaiting);
    } catch (error) {
      if (!(await isForWantOfSpace(error, dataDir))) {
        await stopWaiting();
        throw error;
      }
      if (waiting === undefined) {
        const why = 'the disk is full: free up space, and the server starts automatically';
        waiting = await openWaitingServer({ host, port, degraded: { part: 'disk', why }, retryAfterSeconds });
        // If the port is 0, the node takes over the port that clients are already using.
        port = waiting.address.port;
        log.error({ err: error, dataDir }, `cannot start: ${why}`);
        process.stderr.write(
          `Trackside is running at ${originOf(waiting)} ` +
            'but answers every request with 503: the disk is full.\n',
        );
      }
      do await delay(lookEveryMs);
      while (!(await hasSpace(dataDir).catch(() => true)));
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

async function isForWantOfSpace(error: unknown, dataDir: string): Promise<boolean> {
  const fault = readSystemFault(error);
  if (fault === undefined && error instanceof OperatorError) return false;
  return fault?.kind === 'full' || isNoSpace(error) || !(await hasSpace(dataDir).catch(() => true));
}
