import { openStore, type Store } from '../../src/store/open-store.ts';
import { silentLog, startTestEngine, type TestEngine } from './test-engine.ts';

export type TestStore = { engine: TestEngine; store: Store; close(): Promise<void> };

/** Opens a store with its tables, on its own engine. */
export async function openTestStore(): Promise<TestStore> {
  const engine = await startTestEngine();
  const store = openStore({ socketPath: engine.socketPath, use: 'asking', log: silentLog });
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
