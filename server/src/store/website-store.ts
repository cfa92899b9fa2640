import type { Readable } from 'node:stream';
import type { ClickHouseSettings } from '@clickhouse/client';
import type { ErasedVisit } from '../records/erased-visit.ts';
import {
  type EncodedPage,
  listEncoded,
  type RewrittenAddresses,
  rewriteAddresses,
  type StoredAddress,
} from './addresses.ts';
import { listMonths, type Month, type RewriteOptions } from './change-records.ts';
import { insertByVisitor } from './cluster/cluster-statements.ts';
import { type Question, queryRows, type StoreClient } from './create-store-client.ts';
import { type ExportOptions, exportRecords } from './export-records.ts';
import { findErasedVisits } from './find-erased-visits.ts';
import { listOrigins, type OriginChange, type OriginGroup, rewriteOrigins } from './origins.ts';
import { queryBytes } from './query-bytes.ts';
import { allOf, buildsOf, demoOf, type VisitorRemoval, visitorOf } from './removals.ts';
import { countRows, type RemoveOptions, removeBuilt, removeRows } from './remove-rows.ts';

/** Whose records to remove. */
export type RecordsRemoval = VisitorRemoval | 'all' | 'demo';

/**
 * Answers questions about one website. The store adds the condition itself, so no statement can forget it.
 */
export type WebsiteStore = {
  readonly websiteId: number;
  /** The same store, whose questions are given up when the signal is aborted. */
  withSignal(signal: AbortSignal | undefined): WebsiteStore;
  query<Row>(question: Question): Promise<Row[]>;
  /** Runs a statement without an answer: INSERT … SELECT, or dropping a partition. */
  run(question: Question): Promise<void>;
  /**
   * The website's records as a file. The stream fails if records are missing. In that case, the part that was
   * sent is not a valid file.
   */
  exportRecords(options: ExportOptions): Promise<Readable>;
  /** Finds what a visitor did without a ClientId, in visits that became theirs when they signed in. */
  findErasedVisits(of: { visitorId: string; receivedBefore: number }): Promise<ErasedVisit[]>;
  /** How many records `removeRecords` would remove. */
  countRecords(of: RecordsRemoval): Promise<number>;
  /** Returns when the records are gone. When called again after a fault, it continues. */
  removeRecords(of: RecordsRemoval, options?: RemoveOptions): Promise<void>;
  /**
   * Removes what was added up for days, either all builds or some. Returns when it is gone, with the number
   * of tables that had any of it.
   */
  removeDays(of: { builds: readonly string[] } | 'all'): Promise<number>;
  /** The months that have records. */
  listMonths(): Promise<Month[]>;
  /** What the records of a month say about where their visitors came from, after a key ('0' at first). */
  listOrigins(page: { month: Month; afterKey: string; limit: number }): Promise<OriginGroup[]>;
  /** Writes another source and channel into records. When called again after a fault, it continues. */
  rewriteOrigins(month: Month, changes: readonly OriginChange[], options?: RewriteOptions): Promise<void>;
  /** The paths or hosts of a month that may be encoded, in their order, after one of them ('' at first). */
  listEncoded(page: EncodedPage): Promise<StoredAddress[]>;
  /** Writes other paths or hosts into records. When called again after a fault, it continues. */
  rewriteAddresses(of: RewrittenAddresses, options?: RewriteOptions): Promise<void>;
};

const tables = [
  'records',
  'visits',
  'ended_visits',
  'closed_visits',
  'open_visits',
  'rollups',
  'closed_rollups',
  'open_rollups',
  'day_builds',
];

/**
 * Statements can use the parameter website_id. Apart from that, each table shows them only this website's
 * rows.
 */
export function websiteStore(client: StoreClient, websiteId: number, signal?: AbortSignal): WebsiteStore {
  if (!Number.isInteger(websiteId) || websiteId < 0 || websiteId > 0xffff_ffff)
    throw new Error(`expected the id of a website, got ${websiteId}`);
  const filtered = [...tables, ...(client.cluster ? tables.map(client.cluster.local) : [])];
  const filters = `{${filtered.map((table) => `'${table}':'website_id = ${websiteId}'`).join(',')}}`;
  const scoped = async (question: Question): Promise<Question> => ({
    ...question,
    params: { ...question.params, website_id: websiteId },
    settings: {
      ...((await client.divided.has(websiteId)) ? {} : client.cluster?.onOneShard),
      ...question.settings,
      // The client types this as an object and would write it as JSON, but the store expects its own format.
      additional_table_filters: filters as unknown as ClickHouseSettings['additional_table_filters'] & object,
    },
  });
  const query = async <Row>(question: Question) =>
    await queryRows<Row>(client, { ...(signal && { abortSignal: signal }), ...(await scoped(question)) });
  const run = async (question: Question): Promise<void> => {
    const { query, params, settings, abortSignal } = await scoped(question);
    const isByVisitor = client.cluster !== undefined && (await client.divided.list()).includes(websiteId);
    await client.command({
      query: isByVisitor ? insertByVisitor(query, client.cluster) : query,
      ...(params && { query_params: params }),
      ...(settings && { clickhouse_settings: settings }),
      ...(abortSignal && { abort_signal: abortSignal }),
    });
  };
  const runner = { query, run, cluster: client.cluster };
  const recordsOf = (of: RecordsRemoval) => {
    if (of === 'all') return allOf(websiteId);
    return of === 'demo' ? demoOf(websiteId) : visitorOf(websiteId, of);
  };
  return {
    websiteId,
    withSignal: (other) => websiteStore(client, websiteId, other),
    query,
    run,
    exportRecords: (options) =>
      exportRecords(
        { query, queryBytes: async (question) => queryBytes(client, await scoped(question)) },
        options,
      ),
    findErasedVisits: (of) => findErasedVisits(runner, of),
    countRecords: (of) => countRows(runner, 'records', recordsOf(of)),
    removeRecords: (of, options) => removeRows(runner, 'records', recordsOf(of), options),
    removeDays: (of) => removeBuilt(runner, of === 'all' ? allOf(websiteId) : buildsOf(websiteId, of.builds)),
    listMonths: () => listMonths(runner),
    listOrigins: (page) => listOrigins(runner, page),
    rewriteOrigins: (month, changes, options) => rewriteOrigins(runner, month, changes, options),
    listEncoded: (page) => listEncoded(runner, page),
    rewriteAddresses: (of, options) => rewriteAddresses(runner, of, options),
  };
}
