import type { Readable } from 'node:stream';
import type { ClickHouseSettings } from '@clickhouse/client';
import type { StoreClient } from './create-store-client.ts';
import { type ExportOptions, exportRecords } from './export-records.ts';
import { queryBytes } from './query-bytes.ts';
import { type Question, queryRows } from './query-rows.ts';

/** Everything that is asked about one website. The store adds the condition itself: no statement can forget it. */
export type WebsiteStore = {
  readonly websiteId: number;
  query<Row>(question: Question): Promise<Row[]>;
  /** A statement that answers nothing: INSERT … SELECT, or dropping a partition. */
  run(question: Question): Promise<void>;
  /** The website's records as a file. The stream fails when they are not all there; what came before is no file then. */
  exportRecords(options: ExportOptions): Promise<Readable>;
};

const tables = [
  ...['records', 'visits', 'closed_visits', 'open_visits'],
  ...['rollups', 'closed_rollups', 'open_rollups', 'day_builds'],
];

/** Statements can use the parameter website_id; beyond that, each table shows them only this website's rows. */
export function websiteStore(client: StoreClient, websiteId: number): WebsiteStore {
  if (!Number.isInteger(websiteId) || websiteId < 0 || websiteId > 0xffff_ffff)
    throw new Error(`expected the id of a website, got ${websiteId}`);
  const filters = `{${tables.map((table) => `'${table}':'website_id = ${websiteId}'`).join(',')}}`;
  const scoped = (question: Question): Question => ({
    ...question,
    params: { ...question.params, website_id: websiteId },
    settings: {
      ...question.settings,
      // Typed as an object by the client, which would write it as JSON; the store takes its own form.
      additional_table_filters: filters as unknown as ClickHouseSettings['additional_table_filters'] & object,
    },
  });
  const query = <Row>(question: Question) => queryRows<Row>(client, scoped(question));
  return {
    websiteId,
    query,
    exportRecords: (options) =>
      exportRecords({ query, queryBytes: (question) => queryBytes(client, scoped(question)) }, options),
    async run(question) {
      const { query, params, settings, abortSignal } = scoped(question);
      await client.command({
        query,
        ...(params && { query_params: params }),
        ...(settings && { clickhouse_settings: settings }),
        ...(abortSignal && { abort_signal: abortSignal }),
      });
    },
  };
}
