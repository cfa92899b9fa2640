import { after, test } from 'node:test';
import { openEngineFront } from '../../src/node/service/open-engine-front.ts';
import { createStoreCluster } from '../../src/store/cluster/store-cluster.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import type { StoreAddress } from '../../src/store/store-address.ts';
import { copyEmptyStore } from './copy-empty-store.ts';
import { isLongForm } from './long-form.ts';
import { outsideStoreAt } from './outside-environment.ts';
import { enginePassword, engineUser } from './start-engine-service.ts';
import { clusterName, configureCluster, openTestCluster } from './test-cluster.ts';
import { silentLog, startTestEngine, type TestEngine } from './test-engine.ts';

const shardsOf: Partial<Record<string, 1 | 2>> = { cluster: 2, 'cluster-of-one': 1, divided: 2 };
const clusterOptions = { name: clusterName, quorum: 'auto' };

export type TestStore = { engine: TestEngine; store: Store; address: StoreAddress; close(): Promise<void> };

/** Opens a store with its tables, on its own engine. */
export async function openTestStore(
  options: {
    sessions?: number;
    use?: 'asking' | 'loading';
    place?: string;
    /** Whether it creates its tables and its identity itself. */
    isNew?: boolean;
  } = {},
): Promise<TestStore> {
  const { use = 'asking', place = testStore(), isNew = false, ...ofEngine } = options;
  const shards = shardsOf[place];
  const prepare = async (folder: string) => {
    if (shards !== undefined) configureCluster(folder, shards);
    else if (!isNew) await copyEmptyStore(folder);
  };
  const engine = await startTestEngine({ ...ofEngine, prepare });
  const { address, close } = await openAddress(engine, place);
  const store = openStore({ ...address, use, log: silentLog });
  await store.migrate();
  return {
    engine,
    store,
    address,
    async close() {
      await store.close();
      await close();
      await engine.stop();
    },
  };
}

/**
 * Where the tests of this process have their store: at the engine's socket, outside, on a cluster, or on one
 * where every website is divided.
 */
export const testStore = () => process.env.TRACKSIDE_TEST_STORE ?? 'embedded';

/** For what is the same wherever the store is. In the short form, it is only tried at the engine's socket. */
export const testAtSocket: typeof test =
  isLongForm || testStore() === 'embedded' ? test : ((() => {}) as unknown as typeof test);

/** The engine's socket, or its port if the tests run on a store outside. */
async function openAddress(
  engine: TestEngine,
  place: string,
): Promise<{ address: StoreAddress; close(): Promise<void> }> {
  if (place === 'embedded') return { address: { socketPath: engine.socketPath }, close: async () => {} };
  const { supervisor, socketPath } = engine;
  const front = await openEngineFront({
    host: '127.0.0.1',
    port: 0,
    credentials: { user: engineUser, password: enginePassword },
    socketPath,
    whyAway: () => (supervisor.state().state === 'ready' ? undefined : supervisor.state().state),
    log: silentLog,
  });
  const origin = `http://127.0.0.1:${front.address.port}`;
  if (place === 'outside')
    return { address: { outside: outsideStoreAt(origin) }, close: () => front.stop({ withinMs: 0 }) };
  const cluster = await openTestCluster(origin, { isDivided: place === 'divided' });
  const outside = { ...outsideStoreAt(cluster.origin), cluster: createStoreCluster(clusterOptions) };
  return {
    address: { outside },
    close: async () => {
      cluster.close();
      await front.stop({ withinMs: 0 });
    },
  };
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

/** The table that has the rows. On a cluster, each shard has one, with a distributed table in front of it. */
export const tableOfRows = (table: string) =>
  shardsOf[testStore()] === undefined ? table : `${table}_local`;
const tables = ['records', 'ended_visits', 'open_visits', 'closed_rollups', 'open_rollups', 'day_builds'];

export async function emptyTables(store: Store): Promise<void> {
  for (const table of tables) await store.query({ query: `truncate table ${tableOfRows(table)}` });
}

/** Returns the id of a website that no test of this process has used yet. */
export function newWebsiteId(): number {
  lastWebsite += 1;
  return lastWebsite;
}
