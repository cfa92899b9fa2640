import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { sealedAt } from '../database/sealed-values.ts';
import type { SecretBox } from '../database/secret-box.ts';
import { hashApiKey } from './hash-api-key.ts';
import { toWebsite, type Website, websiteColumns, websiteNotFound } from './website-row.ts';

export type ShareLinks = {
  /** The secret of the public link, or undefined if there is none. */
  shareToken(id: number): Promise<string | undefined>;
  setShare(id: number, to: 'on' | 'off' | 'renewed'): Promise<void>;
  findByShareToken(token: string): Promise<Website | undefined>;
};

const shareTokenBytes = 24;

/** Public links: anyone who has one can see the dashboard of its website, and nothing else. */
export function createShareLinks(options: { database: Database; box: SecretBox }): ShareLinks {
  const { box } = options;
  const { db, lookUp } = options.database;
  return {
    async shareToken(id) {
      const row = await db
        .selectFrom('websites')
        .select('share_token_encrypted')
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) throw websiteNotFound(id);
      if (row.share_token_encrypted === null) return undefined;
      return box.open(row.share_token_encrypted, sealedAt.shareToken(id)).toString();
    },

    async setShare(id, to) {
      const token = to === 'off' ? undefined : randomBytes(shareTokenBytes).toString('base64url');
      await inTransaction(db, async (trx) => {
        const row = await trx
          .selectFrom('websites')
          .select(['share_token_hash', 'version'])
          .where('id', '=', id)
          .executeTakeFirst();
        if (row === undefined) throw websiteNotFound(id);
        // If it is switched on twice, the link stays the same.
        if (to === 'on' && row.share_token_hash !== null) return;
        await trx
          .updateTable('websites')
          .set({
            share_token_hash: token === undefined ? null : hashApiKey(token),
            share_token_encrypted:
              token === undefined ? null : box.seal(Buffer.from(token), sealedAt.shareToken(id)),
            version: row.version + 1,
          })
          .where('id', '=', id)
          .execute();
      });
    },

    async findByShareToken(token) {
      const ofToken = hashApiKey(token);
      const row = await lookUp(ofToken, () =>
        db
          .selectFrom('websites')
          .select(websiteColumns)
          .where('share_token_hash', '=', ofToken)
          .where('deleting_since', 'is', null)
          .executeTakeFirst(),
      );
      return row && toWebsite(row);
    },
  };
}
