import { after } from 'node:test';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { silentLog, startTestEngine, type TestEngine } from './test-engine.ts';

export type TestStore = { engine: TestEngine; store: Store; close(): Promise<void> };

/** Opens a store with its tables, on its own engine. */
export async function openTestStore(
  options: { sessions?: number; use?: 'asking' | 'loading' } = {},
): Promise<TestStore> {
  const { use = 'asking', ...ofEngine } = options;
  const engine = await startTestEngine(ofEngine);
  const store = openStore({ socketPath: engine.socketPath, use, log: silentLog });
  await store.migrate();
  return {
    engine,
    store,
    async close() {
      await store.close();
      await engine.stop();
    },
  };
}

let shared: Promise<TestStore> | undefined;
let users = 0;
let lastWebsite = 100;

/**
 * Opens a store for all test files of this process that call this, because starting an engine for each of
 * them takes a second. A file may only change what belongs to its own websites, or it puts back what it
 * changes. The engine ends after the last of the files.
 */
export async function shareTestStore(): Promise<Pick<TestStore, 'engine' | 'store'>> {
  users += 1;
  after(async () => {
    users -= 1;
    if (users > 0) return;
    const opened = shared;
    shared = undefined;
    await (await opened)?.close();
  });
  shared ??= openTestStore();
  return await shared;
}

/** Returns the id of a website that no test of this process has used yet. */
export function newWebsiteId(): number {
  lastWebsite += 1;
  return lastWebsite;
}
