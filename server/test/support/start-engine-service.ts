import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../../src/files/data-folder.ts';
import { copyEmptyStore } from './copy-empty-store.ts';
import { enginePids } from './engine-pids.ts';
import { shareCompiledCode } from './share-compiled-code.ts';
import { createServerProcess } from './spawn-server.ts';
import { waitFor } from './wait-for.ts';

type Cleaning = { after(cleanUp: () => Promise<void>): void };

export const engineUser = 'shop';
export const enginePassword = 'a pass:word of the engine ü';

export type EngineService = Awaited<ReturnType<typeof startEngineService>>;

/** Runs `trackside engine` in its own process, on its own folder. */
export async function startEngineService(
  t: Cleaning,
  options: {
    environment?: Record<string, string>;
    port?: number;
    /** Whether it begins without tables. */
    isNew?: boolean;
  } = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'trackside-service-'));
  const { store } = dataFolder(dataDir);
  shareCompiledCode(store);
  if (options.isNew !== true) await copyEmptyStore(store);
  const environment = {
    TRACKSIDE_ENGINE_PORT: String(options.port ?? 0),
    TRACKSIDE_ENGINE_USER: engineUser,
    TRACKSIDE_ENGINE_PASSWORD: enginePassword,
    ...options.environment,
  };
  const service = createServerProcess({ dataDir, environment, words: ['engine'] });
  t.after(async () => {
    await service.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  await service.start();
  const ask = (sql: string, headers: Record<string, string> = basic(engineUser, enginePassword)) =>
    fetch(`${service.origin()}/`, { method: 'POST', body: sql, headers });
  const untilReady = () =>
    waitFor('the engine to answer', async () => (await ask('select 1').catch(() => undefined))?.ok === true);
  await untilReady();
  return { ...service, dataDir, ask, untilReady, enginePids: () => enginePids(service.pid()) };
}

export function basic(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
