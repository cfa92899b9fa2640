import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../time/clock.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { raiseRevision } from '../database/raise-revision.ts';
import { sealedAt } from '../database/sealed-values.ts';
import type { SecretBox } from '../database/secret-box.ts';
import type { Tables } from '../database/tables.ts';
import { hashApiKey, keyIdOf } from './hash-api-key.ts';
import { websiteNotFound } from './website-row.ts';

/** The current API key, and what is known about it. */
export type KeyFacts = {
  apiKey: string;
  keyHash: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** Until when the previous key still works. */
  oldKeyUntil: number | null;
};

export type ApiKeys = {
  insert(trx: Kysely<Tables>, websiteId: number): Promise<string>;
  /** The old key stops working in the same transaction, or works for a while longer. */
  regenerateKey(id: number, options?: { keepOldMs: number }): Promise<{ apiKey: string }>;
  apiKey(id: number): Promise<string>;
  /** Whether there is such a key of a website that isn't being deleted. */
  hasKey(keyHash: string): Promise<boolean>;
  keyFacts(id: number): Promise<KeyFacts>;
  /** The keys that work, in a form in which others may see them. */
  keyNames(id: number): Promise<{ id: string; masked: string; isCurrent: boolean }[]>;
  markKeysUsed(uses: readonly { keyHash: string; atMs: number }[]): Promise<void>;
};

const secretBytes = 32;

/** The keys that backends send records with: the current one, and for a while the previous one. */
export function createApiKeys(options: { database: Database; box: SecretBox; clock: Clock }): ApiKeys {
  const { box, clock } = options;
  const { db } = options.database;

  async function insert(trx: Kysely<Tables>, websiteId: number): Promise<string> {
    const apiKey = randomBytes(secretBytes).toString('base64url');
    await trx
      .insertInto('api_keys')
      .values({
        key_hash: hashApiKey(apiKey),
        website_id: websiteId,
        key_encrypted: box.seal(Buffer.from(apiKey), sealedAt.apiKey(websiteId)),
        created_at: clock.now(),
      })
      .execute();
    return apiKey;
  }

  return {
    insert,

    async regenerateKey(id, { keepOldMs } = { keepOldMs: 0 }) {
      return await inTransaction(db, async (trx) => {
        const website = await trx.selectFrom('websites').select('id').where('id', '=', id).executeTakeFirst();
        if (website === undefined) throw websiteNotFound(id);
        const now = clock.now();
        // There is at most one old key. The one before it stops now, even if it had some hours left.
        await trx
          .deleteFrom('api_keys')
          .where('website_id', '=', id)
          .$if(keepOldMs > 0, (query) => query.where('expires_at', 'is not', null))
          .execute();
        await trx
          .updateTable('api_keys')
          .set({ expires_at: now + keepOldMs })
          .where('website_id', '=', id)
          .execute();
        await raiseRevision(trx);
        return { apiKey: await insert(trx, id) };
      });
    },

    async apiKey(id) {
      const row = await db
        .selectFrom('api_keys')
        .select('key_encrypted')
        .where('website_id', '=', id)
        .where('expires_at', 'is', null)
        .executeTakeFirst();
      if (row === undefined) throw websiteNotFound(id);
      return box.open(row.key_encrypted, sealedAt.apiKey(id)).toString();
    },

    async hasKey(keyHash) {
      const row = await db
        .selectFrom('api_keys')
        .innerJoin('websites', 'websites.id', 'api_keys.website_id')
        .select('key_hash')
        .where('key_hash', '=', keyHash)
        .where('deleting_since', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    async keyFacts(id) {
      const rows = await db
        .selectFrom('api_keys')
        .select(['key_hash', 'key_encrypted', 'created_at', 'last_used_at', 'expires_at'])
        .where('website_id', '=', id)
        .execute();
      const current = rows.find(({ expires_at }) => expires_at === null);
      if (current === undefined) throw websiteNotFound(id);
      const now = clock.now();
      return {
        apiKey: box.open(current.key_encrypted, sealedAt.apiKey(id)).toString(),
        keyHash: current.key_hash,
        createdAt: current.created_at,
        lastUsedAt: current.last_used_at,
        oldKeyUntil:
          rows.find(({ expires_at }) => expires_at !== null && expires_at > now)?.expires_at ?? null,
      };
    },

    async keyNames(id) {
      const rows = await db
        .selectFrom('api_keys')
        .select(['key_hash', 'key_encrypted', 'expires_at'])
        .where('website_id', '=', id)
        .execute();
      const now = clock.now();
      return rows
        .filter(({ expires_at }) => expires_at === null || expires_at > now)
        .map(({ key_hash, key_encrypted, expires_at }) => {
          const apiKey = box.open(key_encrypted, sealedAt.apiKey(id)).toString();
          return { id: keyIdOf(key_hash), masked: maskKey(apiKey), isCurrent: expires_at === null };
        });
    },

    async markKeysUsed(uses) {
      await inTransaction(db, async (trx) => {
        for (const { keyHash, atMs } of uses)
          await trx
            .updateTable('api_keys')
            .set({ last_used_at: atMs })
            .where('key_hash', '=', keyHash)
            .execute();
      });
    },
  };
}

const maskKey = (apiKey: string): string => `${apiKey.slice(0, 4)}…${apiKey.slice(-4)}`;
