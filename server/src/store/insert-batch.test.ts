import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { ExecParams } from '@clickhouse/client';
import { createStoreCluster } from './cluster/store-cluster.ts';
import type { StoreClient } from './create-store-client.ts';
import { insertBatch } from './insert-batch.ts';

/** Returns the INSERT that a cluster gets of a batch, if these websites are divided. */
async function insertWith(divided: readonly number[]) {
  const sent: ExecParams[] = [];
  const client = {
    cluster: createStoreCluster({ name: 'ours', quorum: 'auto' }),
    divided: { list: async () => divided },
    exec: async (asked: ExecParams) => {
      sent.push(asked);
      return { stream: Readable.from([]), summary: { written_rows: '1' } };
    },
  } as unknown as StoreClient;
  await insertBatch(client, {
    columns: ['node'],
    body: Buffer.from('["n"]\n'),
    rows: 1,
    queryId: 'q',
    token: 't',
  });
  const { query, clickhouse_settings } = sent[0]!;
  return { query, token: clickhouse_settings?.insert_deduplication_token };
}

test('as long as no website is divided, a batch goes to the distributed table', async () => {
  assert.deepEqual(await insertWith([]), {
    query: 'insert into records (node) format JSONCompactEachRow',
    token: 't',
  });
});

test('rows of divided websites are sorted by visitor, under a token for these websites', async () => {
  assert.deepEqual(await insertWith([5, 9]), {
    query:
      "insert into function cluster('ours', 'trackside', 'records_local', " +
      'if(has([5, 9], website_id), visitor_id, toUInt64(website_id))) (node) format JSONCompactEachRow',
    token: 't-2',
  });
});
