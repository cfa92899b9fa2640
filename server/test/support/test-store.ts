import { after } from 'node:test';
import { openEngineFront } from '../../src/node/service/open-engine-front.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import type { StoreAddress } from '../../src/store/store-address.ts';
import { outsideStoreAt } from './outside-environment.ts';
import { enginePassword, engineUser } from './start-engine-service.ts';
import { silentLog, startTestEngine, type TestEngine } from './test-engine.ts';

export type TestStore = { engine: TestEngine; store: Store; close(): Promise<void> };

/** Opens a store with its tables, on its own engine. */
export async function openTestStore(
  options: { sessions?: number; use?: 'asking' | 'loading' } = {},
): Promise<TestStore> {
  const { use = 'asking', ...ofEngine } = options;
  const engine = await startTestEngine(ofEngine);
  const { address, close } = await openAddress(engine);
  const store = openStore({ ...address, use, log: silentLog });
  await store.migrate();
  return {
    engine,
    store,
    async close() {
      await store.close();
      await close();
      await engine.stop();
    },
  };
}

/** The engine's socket, or its port if the tests run on a store outside. */
async function openAddress(engine: TestEngine): Promise<{ address: StoreAddress; close(): Promise<void> }> {
  if (process.env.TRACKSIDE_TEST_STORE !== 'outside')
    return { address: { socketPath: engine.socketPath }, close: async () => {} };
  const { supervisor, socketPath } = engine;
  const front = await openEngineFront({
    host: '127.0.0.1',
    port: 0,
    credentials: { user: engineUser, password: enginePassword },
    socketPath,
    whyAway: () => (supervisor.state().state === 'ready' ? undefined : supervisor.state().state),
    log: silentLog,
  });
  const outside = outsideStoreAt(`http://127.0.0.1:${front.address.port}`);
  return { address: { outside }, close: () => front.stop({ withinMs: 0 }) };
}

/** A store that several test files of this process use. */
type SharedStore = { opened?: Promise<TestStore> | undefined; users: number };

const quietStore: SharedStore = { users: 0 };
const sweptStore: SharedStore = { users: 0 };
let lastWebsite = 100;

/** The engine ends after the last of the files. */
async function share(shared: SharedStore): Promise<Pick<TestStore, 'engine' | 'store'>> {
  shared.users += 1;
  after(async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    const { opened } = shared;
    shared.opened = undefined;
    await (await opened)?.close();
  });
  shared.opened ??= openTestStore();
  return await shared.opened;
}

/**
 * Opens a store for all test files of this process that call this, because starting an engine for each of
 * them takes a second. A file may only change what belongs to its own websites, or it puts back what it
 * changes.
 */
export const shareTestStore = () => share(quietStore);

/**
 * Opens a store for all test files of this process that sweep. A sweep builds the days of all existing
 * websites, so the first test of each file empties the tables.
 */
export const shareSweptStore = () => share(sweptStore);

const tables = ['records', 'ended_visits', 'open_visits', 'closed_rollups', 'open_rollups', 'day_builds'];

export async function emptyTables(store: Store): Promise<void> {
  for (const table of tables) await store.query({ query: `truncate table ${table}` });
}

/** Returns the id of a website that no test of this process has used yet. */
export function newWebsiteId(): number {
  lastWebsite += 1;
  return lastWebsite;
}
