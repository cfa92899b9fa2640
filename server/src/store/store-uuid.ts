import { randomUUID } from 'node:crypto';
import { queryRows, type StoreClient } from './create-store-client.ts';

/**
 * Gives the store its identity, once, and notes the shards that its rows are spread over. The identity is a view and not a row: creating a view is atomic, and
 * the first one wins. So neither a crash nor two simultaneous migrations can leave two identities or none.
 */
export async function writeStoreUuid(client: StoreClient, shards: string): Promise<void> {
  await client.command({
    query: `create view if not exists store_identity as
      select toUUID('${randomUUID()}') as uuid, '${shards}' as shards`,
  });
}

/** A loader that remembers another UUID knows that this store has never seen its batches. */
export async function readStoreUuid(client: StoreClient): Promise<string> {
  const [row] = await queryRows<{ uuid: string }>(client, { query: 'select uuid from store_identity' });
  if (row === undefined)
    throw new Error('expected the store to have an identity, got none; run the migrations');
  return row.uuid;
}
