import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { StoreClient } from './create-store-client.ts';

export type Batch = {
  /** `node` and `batch`, followed by the columns of the journal's segment. */
  columns: readonly string[];
  /** One JSON array per line. */
  body: Buffer;
  rows: number;
  queryId: string;
  /** A cluster drops an INSERT if it has had one with the same token. Without one, it drops none. */
  token?: string;
};

/**
 * More than any batch has. A batch that is a single block becomes one part per month, entirely or not at all.
 */
const maxBlockRows = 1_000_000;

/** An INSERT that runs longer than this is given up by the store. */
export const insertWithinSeconds = 60;

export async function insertBatch(client: StoreClient, batch: Batch): Promise<void> {
  const { columns, body, rows, queryId, token } = batch;
  if (rows > maxBlockRows) throw new Error(`expected at most ${maxBlockRows} rows in a batch, got ${rows}`);
  const wrong = columns.find((column) => !/^[a-z_]\w*$/.test(column));
  if (wrong !== undefined) throw new Error(`expected the name of a column, got ${JSON.stringify(wrong)}`);
  const divided = await client.divided.list();
  const target = targetFor(client, divided);
  const { stream, summary } = await client.exec({
    query: `insert into ${target} (${columns.join(', ')}) format JSONCompactEachRow`,
    values: Readable.from(inPieces(body), { objectMode: false }),
    query_id: queryId,
    http_headers: { 'Content-Length': String(body.length) },
    clickhouse_settings: {
      async_insert: 0,
      ...(client.cluster && token !== undefined
        ? { insert_deduplicate: 1, insert_deduplication_token: tokenFor(token, divided) }
        : { insert_deduplicate: 0 }),
      input_format_parallel_parsing: 0,
      max_insert_block_size: String(maxBlockRows),
      min_insert_block_size_rows: String(maxBlockRows),
      min_insert_block_size_bytes: '0',
      wait_end_of_query: 1,
      max_execution_time: insertWithinSeconds,
      // The engine gives its statements other ids. By this comment, an INSERT is found among those that run.
      log_comment: queryId,
    },
  });
  stream.resume();
  const written = Number(summary?.written_rows);
  // A host that is both asked and one of the shards counts its rows twice.
  const isRight = client.cluster ? written >= rows : written === rows;
  if (!isRight) throw new Error(`expected ${rows} rows to be written, the store says ${written}`);
}

/** A batch has rows of many websites. Those of a divided one go to the shards by visitor. */
function targetFor({ cluster }: StoreClient, divided: readonly number[]): string {
  if (cluster === undefined || divided.length === 0) return 'records';
  const key = `if(has([${divided.join(', ')}], website_id), visitor_id, toUInt64(website_id))`;
  return cluster.sortedOnto('records', key);
}

/**
 * A shard recognizes the rows that it got before. If a website was divided since, it would take others for
 * them. Websites are never united again, so their number tells which ones were divided.
 */
function tokenFor(token: string, divided: readonly number[]): string {
  return divided.length === 0 ? token : `${token}-${divided.length}`;
}

const pieceBytes = 64 * 1024;
const pauseMs = 1;

/**
 * Writing the megabytes of a batch at once would block the event loop for as long as the engine keeps
 * reading.
 */
async function* inPieces(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    yield body.subarray(at, at + pieceBytes);
    await delay(pauseMs);
  }
}
