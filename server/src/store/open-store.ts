import type { Log } from '../log.ts';
import { raiseFence, readFence } from './build-fences.ts';
import { divideWebsite, isDivided } from './cluster/divide-website.ts';
import { type BatchCount, type BatchRange, countBatches } from './count-batches.ts';
import {
  createStoreClient,
  damagedReadTimeoutMs,
  type Question,
  queryRows,
  type StoreClient,
  type StoreUse,
} from './create-store-client.ts';
import { databaseName } from './database-name.ts';
import { type BatchParts, deleteBatches } from './delete-batches.ts';
import { type Batch, insertBatch } from './insert-batch.ts';
import { type KeyRange, listKeys, readLastBatch, type StoredKey } from './list-keys.ts';
import { isStoreMigrated, migrateStore } from './migrate-store.ts';
import type { MoveStore } from './move/move-store.ts';
import {
  type BrokenPart,
  checkPart,
  countDamageMet,
  listBrokenParts,
  listParts,
  type StorePart,
} from './parts.ts';
import { queryBytes } from './query-bytes.ts';
import { type DaysBefore, daysBefore } from './removals.ts';
import { removeBuilt, removeRows, type StatementRunner } from './remove-rows.ts';
import {
  type BeforeRemoval,
  dropSums,
  finishSalvage,
  type ReloadedBatches,
  salvagePart,
} from './salvage-part.ts';
import type { StoreAddress } from './store-address.ts';
import { readStoreUuid } from './store-uuid.ts';
import { type WebsiteStore, websiteStore } from './website-store.ts';

export type OpenStoreOptions = StoreAddress & { use: StoreUse; log: Log };

/**
 * The column store behind its client. Every method rejects while the engine is away. Nothing is retried here.
 */
export type Store = {
  ping(): Promise<boolean>;
  migrate(): Promise<{ applied: number[] }>;
  isMigrated(): Promise<boolean>;
  uuid(): Promise<string>;
  /** When this rejects, the outcome is unknown: the rows may be there, may come later, or may never come. */
  insertBatch(batch: Batch): Promise<void>;
  countBatches(range: BatchRange): Promise<BatchCount[]>;
  deleteBatches(parts: BatchParts): Promise<void>;
  listKeys(range: KeyRange): Promise<StoredKey[]>;
  lastBatch(node: string): Promise<number>;
  listParts(): Promise<StorePart[]>;
  listBrokenParts(): Promise<BrokenPart[]>;
  countDamageMet(): Promise<number>;
  /** Returns what is wrong with a part, or undefined if nothing is. */
  checkPart(part: Pick<StorePart, 'table' | 'name'>): Promise<string | undefined>;
  /** Sets a damaged part of the records aside, and keeps the rows of it that can be read. */
  salvagePart(
    part: StorePart,
    reloaded: ReloadedBatches,
    beforeRemoval: BeforeRemoval,
  ): Promise<{ kept: number }>;
  finishSalvage(): Promise<void>;
  /** Sets a damaged part of another table aside. Its rows are added up from the records again. */
  dropSums(part: StorePart): Promise<void>;
  query<Row>(question: Question): Promise<Row[]>;
  /** Counts the records of each website from days that are too old. Websites without any are left out. */
  countRecordsBefore(list: readonly DaysBefore[]): Promise<{ websiteId: number; records: number }[]>;
  /** Removes those records. One statement covers several websites. */
  removeRecordsBefore(list: readonly DaysBefore[]): Promise<void>;
  /** Removes what was added up for those days. */
  removeDaysBefore(list: readonly DaysBefore[]): Promise<void>;
  /** The highest number that an owner of builds has had. */
  readFence(): Promise<number>;
  /** Refuses what earlier owners of builds still want to write. */
  raiseFence(fence: number, node: string): Promise<void>;
  /** Whether the new rows of a website go to all shards of a cluster. Rejects if there is only one. */
  isDivided(websiteId: number): Promise<boolean>;
  /** Lets them go there, by visitor. Returns when they do. When called again after a fault, it continues. */
  divideWebsite(websiteId: number): Promise<void>;
  /** The part of the store that one website may see. */
  ofWebsite(websiteId: number): WebsiteStore;
  /** The whole store, for copying it. */
  forMove(): MoveStore;
  close(): Promise<void>;
};

const pingWithinMs = 2_000;

export function openStore({ use, log, ...address }: OpenStoreOptions): Store {
  const client = createStoreClient(address, databaseName, use);
  const patientClient = createStoreClient(address, databaseName, use, damagedReadTimeoutMs);
  const runner = createRunner(client);
  return {
    ping: async () => {
      const answer = await client.ping({ select: false, abort_signal: AbortSignal.timeout(pingWithinMs) });
      return answer.success;
    },
    migrate: async () => {
      await createDatabase(address, use);
      const { applied } = await migrateStore(client);
      if (applied.length > 0) log.info({ applied }, 'migrated the store');
      return { applied };
    },
    isMigrated: () => isStoreMigrated(client),
    uuid: () => readStoreUuid(client),
    insertBatch: (batch) => insertBatch(client, batch),
    countBatches: (range) => countBatches(client, range),
    deleteBatches: (parts) => deleteBatches(runner, parts),
    listKeys: (range) => listKeys(client, range),
    lastBatch: (node) => readLastBatch(client, node),
    listParts: () => listParts(client),
    listBrokenParts: () => listBrokenParts(client),
    countDamageMet: () => countDamageMet(client),
    checkPart: (part) => checkPart(client, part),
    salvagePart: (...salvage) => salvagePart(createRunner(patientClient), ...salvage),
    finishSalvage: () => finishSalvage(runner),
    dropSums: (part) => dropSums(runner, part),
    query: <Row>(question: Question) => queryRows<Row>(client, question),
    countRecordsBefore: (list) => {
      const { condition, params } = daysBefore(list);
      const query = `
        select website_id as websiteId, count() as records
        from records
        where ${condition}
        group by website_id`;
      return runner.query({ query, params });
    },
    removeRecordsBefore: (list) => removeRows(runner, 'records', daysBefore(list)),
    removeDaysBefore: async (list) => {
      await removeBuilt(runner, daysBefore(list));
    },
    forMove: () => ({
      ...runner,
      queryBytes: (question) => queryBytes(client, question),
      insertBatch: (batch) => insertBatch(client, batch),
    }),
    readFence: () => readFence(runner),
    raiseFence: (fence, node) => raiseFence(runner, fence, node),
    isDivided: (websiteId) => isDivided(client, websiteId),
    divideWebsite: (websiteId) => divideWebsite(client, websiteId),
    ofWebsite: (websiteId) => websiteStore(client, websiteId),
    close: async () => {
      await Promise.all([client.close(), patientClient.close()]);
    },
  };
}

function createRunner(client: StoreClient): StatementRunner {
  return {
    cluster: client.cluster,
    query: (question) => queryRows(client, question),
    run: async ({ query, params, settings }) => {
      await client.command({
        query,
        ...(params && { query_params: params }),
        ...(settings && { clickhouse_settings: settings }),
      });
    },
  };
}

/** Uses a separate client, because the other one names the database in every request. */
async function createDatabase(address: StoreAddress, use: StoreUse): Promise<void> {
  const client = createStoreClient(address, 'default', use);
  try {
    await client.command({ query: `create database if not exists ${databaseName} engine = Atomic` });
  } finally {
    await client.close();
  }
}
