import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSharedFolder } from '../../src/files/test-shared-folder.ts';
import { openStore } from '../../src/store/open-store.ts';
import { silentLog, startTestEngine } from './test-engine.ts';

const sources = fileURLToPath(new URL('../../src/', import.meta.url));

let shared: Promise<string> | undefined;

/**
 * Gives a new store its tables. In a run of all tests, one process creates them and the others copy its folder,
 * because creating them takes the engine longer than its start. The copies have the same identity.
 */
export async function copyEmptyStore(storeFolder: string): Promise<void> {
  const { NODE_COMPILE_CACHE } = process.env;
  if (NODE_COMPILE_CACHE === undefined || existsSync(storeFolder)) return;
  shared ??= share(NODE_COMPILE_CACHE);
  copy(await shared, storeFolder);
}

async function share(cache: string): Promise<string> {
  const folder = join(cache, `store-${hashSources()}`);
  await createSharedFolder(folder, createStore);
  return folder;
}

const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, verbatimSymlinks: true });

async function createStore(folder: string): Promise<void> {
  const engine = await startTestEngine({ sessions: 1 });
  const store = openStore({ socketPath: engine.socketPath, use: 'asking', log: silentLog });
  await store.migrate();
  await store.close();
  await engine.supervisor.stop();
  copy(engine.folder, folder);
  await engine.stop();
}

/** Names everything that decides what an empty store looks like. */
function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync('{store,engine}/**/*.{ts,sql}', { cwd: sources }).toSorted())
    hash.update(readFileSync(join(sources, file)));
  return hash.update(readFileSync(findChdb())).digest('hex').slice(0, 16);
}

const findChdb = () => createRequire(import.meta.url).resolve('chdb/package.json');
