import type { Kysely } from 'kysely';
import type { SecretBox } from './secret-box.ts';
import type { Tables } from './tables.ts';

/** Names the place of everything that is encrypted. A value only opens in its own place. */
export const sealedAt = {
  apiKey: (websiteId: number) => `api_keys.key of website ${websiteId}`,
  clientIdKey: (websiteId: number) => `websites.client_id_key of website ${websiteId}`,
  shareToken: (websiteId: number) => `websites.share_token of website ${websiteId}`,
  salt: (date: string) => `salts.salt of ${date}`,
};

const saltBytes = 32;

/** Opens a salt. Earlier versions did not encrypt them, and those that are left are destroyed within days. */
export function openSalt(box: SecretBox, date: string, stored: Uint8Array): Buffer {
  return stored.length === saltBytes ? Buffer.from(stored) : box.open(stored, sealedAt.salt(date));
}

type SealedValue = {
  open(box: SecretBox): Buffer;
  /** Encrypts it with another key, in its place. */
  write(trx: Kysely<Tables>, sealed: Uint8Array): Promise<unknown>;
  context: string;
};

/** Everything in a control database that the secret key opens, besides the check of the key itself. */
export async function listSealedValues(db: Kysely<Tables>): Promise<SealedValue[]> {
  const keys = await db.selectFrom('api_keys').select(['key_hash', 'website_id', 'key_encrypted']).execute();
  const websites = await db
    .selectFrom('websites')
    .select(['id', 'client_id_key_encrypted', 'share_token_encrypted'])
    .execute();
  const salts = await db.selectFrom('salts').select(['date', 'salt']).execute();
  return [
    ...keys.map(({ key_hash, website_id, key_encrypted }) =>
      toSealedValue(key_encrypted, sealedAt.apiKey(website_id), (trx, sealed) =>
        trx.updateTable('api_keys').set({ key_encrypted: sealed }).where('key_hash', '=', key_hash).execute(),
      ),
    ),
    ...websites.map(({ id, client_id_key_encrypted }) =>
      toSealedValue(client_id_key_encrypted, sealedAt.clientIdKey(id), (trx, sealed) =>
        trx.updateTable('websites').set({ client_id_key_encrypted: sealed }).where('id', '=', id).execute(),
      ),
    ),
    ...websites.flatMap(({ id, share_token_encrypted }) =>
      share_token_encrypted === null
        ? []
        : toSealedValue(share_token_encrypted, sealedAt.shareToken(id), (trx, sealed) =>
            trx.updateTable('websites').set({ share_token_encrypted: sealed }).where('id', '=', id).execute(),
          ),
    ),
    ...salts.map(({ date, salt }) => ({
      ...toSealedValue(salt, sealedAt.salt(date), (trx, sealed) =>
        trx.updateTable('salts').set({ salt: sealed }).where('date', '=', date).execute(),
      ),
      open: (box: SecretBox) => openSalt(box, date, salt),
    })),
  ];
}

/** Opens all of them, and names the places of those that this key doesn't open. */
export async function trySealedValues(
  db: Kysely<Tables>,
  box: SecretBox,
): Promise<{ values: number; broken: string[] }> {
  const values = await listSealedValues(db);
  const isBroken = ({ open }: SealedValue) => {
    try {
      open(box);
      return false;
    } catch {
      return true;
    }
  };
  return { values: values.length, broken: values.filter(isBroken).map(({ context }) => context) };
}

const toSealedValue = (sealed: Uint8Array, context: string, write: SealedValue['write']): SealedValue => ({
  open: (box) => box.open(sealed, context),
  write,
  context,
});
