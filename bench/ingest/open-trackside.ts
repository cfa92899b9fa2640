import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { openControl } from '../../server/src/control/open-control.ts';
import { dataFolder } from '../../server/src/files/data-folder.ts';
import { openStore } from '../../server/src/store/open-store.ts';
import { systemClock } from '../../server/src/time/clock.ts';
import { readMetrics } from './read-metrics.ts';
import { startProcess } from './start-process.ts';

export const websites = 7;
const loadedWithinMs = 120_000;
const program = fileURLToPath(new URL('../../server/bin/trackside.js', import.meta.url));

export type Trackside = Awaited<ReturnType<typeof openTrackside>>;

/** Starts a server as an operator does, with websites and a way to see what is in its store. */
export async function openTrackside(
  folder: string,
  workers: string,
  environment: Record<string, string> = {},
) {
  const dataDir = join(folder, `data-${workers}`);
  const log = pino({ level: 'silent' });
  const server = await startProcess([program, 'serve'], {
    TRACKSIDE_DATA_DIR: dataDir,
    TRACKSIDE_PORT: '0',
    TRACKSIDE_LOG_LEVEL: 'warn',
    TRACKSIDE_WORKERS: workers,
    ...environment,
  });
  const data = dataFolder(dataDir);
  const control = await openControl({
    folder: data.control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log,
  });
  const apiKeys: string[] = [];
  const websiteIds: number[] = [];
  for (let i = 0; i < websites; i += 1) {
    const added = await control.websites.add({
      domain: `shop-${i}.example`,
      timezone: 'Europe/Berlin',
      contingent: null,
    });
    apiKeys.push(added.apiKey);
    websiteIds.push(added.website.id);
  }
  await control.close();
  const store = openStore({ socketPath: data.engineSocket, use: 'asking', log });
  const countRows = async () =>
    Number((await store.query<{ rows: string }>({ query: 'select count() as rows from records' }))[0]?.rows);
  return {
    name: `workers: ${workers}`,
    origin: server.origin,
    pid: server.pid,
    dataDir,
    apiKeys,
    websiteIds,
    store,
    countRows,
    /** Waits until everything that was accepted is in the store, and returns how much that is. */
    async untilLoaded(): Promise<{ rows: number; accepted: number }> {
      const { accepted } = await readMetrics(server.origin);
      const deadlineMs = performance.now() + loadedWithinMs;
      let rows = await countRows();
      while (rows < accepted && performance.now() < deadlineMs) {
        await delay(100);
        rows = await countRows();
      }
      return { rows, accepted };
    },
    async stop(): Promise<void> {
      await store.close();
      await server.stop();
    },
  };
}
