import type { Kysely } from 'kysely';
import { inSlices } from '../../concurrency/in-slices.ts';
import type { Database } from '../database/database.ts';
import { inSnapshot } from '../database/in-snapshot.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';
import type { StreamRow } from './account-stream.ts';
import { foldStream } from './fold-stream.ts';
import { hourMs, type Outcome, type TallyCount, type TallyRefusal } from './tally-rows.ts';

/** What is known about the records that were sent to a website in a period, over all nodes. */
export type WebsiteTally = {
  counts: TallyCount[];
  refusals: TallyRefusal[];
  /** The streams whose hours aren't counted for good, of any time. */
  streams: TallyStream[];
  /** The first hour that anything is known of. */
  since: number | undefined;
};

export type TallyStream = { stream: string; foldedTo: number; rows: StreamRow[] };

/** What became of everything that was sent, by hours. It is written with the usage of contingents. */
export type Tallies = {
  /** What a node has to know about its own tally when it starts. */
  ofNode(node: string): Promise<{
    /** Of its last checkpoint. */
    number: number;
    keys: { websiteId: number; key: string }[];
    streams: { websiteId: number; stream: string; hour: number }[];
  }>;
  /** `until` isn't included. */
  read(websiteId: number, from: number, until: number): Promise<WebsiteTally>;
  /** Counts the numbers of hours before this one for good. Returns of how many streams. */
  fold(beforeHour: number, signal?: AbortSignal): Promise<number>;
  clearOlderThan(beforeMs: number): Promise<void>;
};

/** After this time, a number that arrives late counts in the hour in which it arrives. */
export const numbersKeptMs = 73 * hourMs;
export const talliesKeptMs = 400 * 24 * hourMs;

export function createTallies({ db }: Database): Tallies {
  return {
    async ofNode(node) {
      return await inSnapshot(db, async (trx) => {
        const checkpoint = await trx
          .selectFrom('tally_checkpoints')
          .select('number')
          .where('node', '=', node)
          .executeTakeFirst();
        const keys = await trx
          .selectFrom('tally_keys')
          .select(['website_id as websiteId', 'key'])
          .where('node', '=', node)
          .execute();
        const streams = await trx
          .selectFrom('tally_streams')
          .select(({ fn }) => ['website_id as websiteId', 'stream', fn.max('hour').as('hour')])
          .where('node', '=', node)
          .groupBy(['website_id', 'stream'])
          .execute();
        return { number: checkpoint?.number ?? 0, keys, streams };
      });
    },

    async read(websiteId, from, until) {
      // At one moment, because folding moves numbers from one table to the other.
      const { rows, ...read } = await inSnapshot(db, async (trx) => ({
        counts: await readCounts(trx, websiteId, from, until),
        refusals: await readRefusals(trx, websiteId, from, until),
        rows: await readStreamRows(trx, websiteId),
        since: await readSince(trx, websiteId),
      }));
      return { ...read, streams: await inSlices(toStreams(rows)) };
    },

    async fold(beforeHour, signal) {
      const due = await db
        .selectFrom('tally_streams')
        .select(['website_id', 'stream'])
        .distinct()
        .where('hour', '<', beforeHour)
        .execute();
      let folded = 0;
      for (const { website_id, stream } of due) {
        if (signal?.aborted === true) break;
        await inTransaction(db, (trx) => foldStream(trx, website_id, stream, beforeHour));
        folded += 1;
      }
      return folded;
    },

    async clearOlderThan(beforeMs) {
      await inTransaction(db, async (trx) => {
        for (const table of ['tallies', 'tally_refusals', 'tally_stream_ends'] as const)
          await trx.deleteFrom(table).where('hour', '<', beforeMs).execute();
      });
    },
  };
}

async function readCounts(
  trx: Kysely<Tables>,
  websiteId: number,
  from: number,
  until: number,
): Promise<TallyCount[]> {
  const rows = await trx
    .selectFrom('tallies')
    .select(['hour', 'key', 'release', 'outcome', 'is_numbered'])
    .select(({ fn }) => fn.sum<number>('records').as('records'))
    .where('website_id', '=', websiteId)
    .where('hour', '>=', from)
    .where('hour', '<', until)
    .groupBy(['hour', 'key', 'release', 'outcome', 'is_numbered'])
    .execute();
  return rows.map(({ is_numbered, outcome, ...row }) => ({
    ...row,
    websiteId,
    outcome: outcome as Outcome,
    isNumbered: is_numbered === 1,
  }));
}

async function readRefusals(
  trx: Kysely<Tables>,
  websiteId: number,
  from: number,
  until: number,
): Promise<TallyRefusal[]> {
  const rows = await trx
    .selectFrom('tally_refusals')
    .select(['hour', 'key', 'release', 'code', 'field', 'expected', 'got'])
    .select(({ fn }) => fn.sum<number>('records').as('records'))
    .where('website_id', '=', websiteId)
    .where('hour', '>=', from)
    .where('hour', '<', until)
    .groupBy(['hour', 'key', 'release', 'code', 'field', 'expected', 'got'])
    .execute();
  return rows.map((row) => ({ ...row, websiteId }));
}

async function readStreamRows(trx: Kysely<Tables>, websiteId: number) {
  return await trx
    .selectFrom('tally_streams')
    .leftJoin('tally_stream_ends', (join) =>
      join
        .onRef('tally_stream_ends.website_id', '=', 'tally_streams.website_id')
        .onRef('tally_stream_ends.stream', '=', 'tally_streams.stream'),
    )
    .select(['tally_streams.stream', 'tally_streams.hour', 'node', 'key', 'release', 'arrivals', 'numbers'])
    .select('folded_to')
    .where('tally_streams.website_id', '=', websiteId)
    .orderBy('tally_streams.stream')
    .orderBy('tally_streams.hour')
    .orderBy('node')
    .execute();
}

function* toStreams(rows: Awaited<ReturnType<typeof readStreamRows>>): Generator<void, TallyStream[]> {
  const streams: TallyStream[] = [];
  for (const [stream, own] of Map.groupBy(rows, (row) => row.stream)) {
    yield;
    const foldedTo = own[0]!.folded_to ?? 0;
    streams.push({
      stream,
      foldedTo,
      rows: own.map((row) => ({ ...row, numbers: JSON.parse(row.numbers) })),
    });
  }
  return streams;
}

async function readSince(trx: Kysely<Tables>, websiteId: number): Promise<number | undefined> {
  const hours: number[] = [];
  for (const table of ['tallies', 'tally_streams'] as const) {
    const row = await trx
      .selectFrom(table)
      .select(({ fn }) => fn.min<number | null>('hour').as('hour'))
      .where('website_id', '=', websiteId)
      .executeTakeFirst();
    if (row?.hour != null) hours.push(row.hour);
  }
  return hours.length === 0 ? undefined : Math.min(...hours);
}
