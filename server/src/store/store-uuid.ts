import { randomUUID } from 'node:crypto';
import { queryRows, type StoreClient } from './create-store-client.ts';

/**
 * Gives the store its identity, once. It is a view and not a row: creating one is atomic and the first one
 * wins, so that neither a crash nor two migrations at the same time can leave two identities or none.
 */
export async function writeStoreUuid(client: StoreClient): Promise<void> {
  await client.command({
    query: `create view if not exists store_identity as select toUUID('${randomUUID()}') as uuid`,
  });
}

/** A loader that remembers another UUID knows that this store never saw its batches. */
export async function readStoreUuid(client: StoreClient): Promise<string> {
  const [row] = await queryRows<{ uuid: string }>(client, { query: 'select uuid from store_identity' });
  if (row === undefined)
    throw new Error('expected the store to have an identity, got none; run the migrations');
  return row.uuid;
}
