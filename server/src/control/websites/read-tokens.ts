import { randomBytes } from 'node:crypto';
import { maxNameLength } from '@trackside/contract/app/limits.ts';
import type { Kysely } from 'kysely';
import type { Clock } from '../../time/clock.ts';
import { ControlError } from '../database/control-error.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';
import { hashApiKey } from './hash-api-key.ts';
import { parseOneLine } from './parse-one-line.ts';
import { websiteNotFound } from './website-row.ts';

/** Lets its holder ask for statistics of one website, and nothing else. The token itself isn't stored. */
export type ReadToken = {
  id: number;
  websiteId: number;
  /** What the token is for. */
  name: string;
  createdAt: number;
  /** Up to two minutes behind. Null if the token was never used. */
  lastUsedAt: number | null;
};

/**
 * Changes here don't raise control's revision: nodes keep no tokens in memory but look up each one, so that a
 * revoked token stops working at once.
 */
export type ReadTokens = {
  /** The token is shown only this once. */
  add(websiteId: number, name: string): Promise<ReadToken & { token: string }>;
  /** Lists the tokens of one website, or of all. */
  list(websiteId?: number): Promise<ReadToken[]>;
  revoke(id: number): Promise<ReadToken>;
  find(token: string): Promise<{ id: number; websiteId: number } | undefined>;
  /** Writes at most once a minute for a token, no matter how many nodes ask for it. */
  markUsed(id: number): Promise<void>;
};

export const readTokenPrefix = 'tsr_';
const tokenShape = new RegExp(`^${readTokenPrefix}[\\w-]{43}$`);
const secretBytes = 32;
const useIntervalMs = 60_000;
const columns = ['id', 'website_id', 'name', 'created_at', 'last_used_at'] as const;

export function createReadTokens(options: { database: Database; clock: Clock }): ReadTokens {
  const { clock } = options;
  const { db, lookUp } = options.database;
  return {
    async add(websiteId, name) {
      const checkedName = parseOneLine('Token name', name, maxNameLength);
      const token = `${readTokenPrefix}${randomBytes(secretBytes).toString('base64url')}`;
      return await inTransaction(db, async (trx) => {
        const website = await trx
          .selectFrom('websites')
          .select('id')
          .where('id', '=', websiteId)
          .executeTakeFirst();
        if (website === undefined) throw websiteNotFound(websiteId);
        const row = await trx
          .insertInto('read_tokens')
          .values({
            id: await countReadToken(trx),
            website_id: websiteId,
            name: checkedName,
            token_hash: hashApiKey(token),
            created_at: clock.now(),
            last_used_at: null,
          })
          .returning(columns)
          .executeTakeFirstOrThrow();
        return { ...toReadToken(row), token };
      });
    },

    async list(websiteId) {
      let query = db.selectFrom('read_tokens').select(columns).orderBy('id');
      if (websiteId !== undefined) query = query.where('website_id', '=', websiteId);
      return (await query.execute()).map(toReadToken);
    },

    async revoke(id) {
      const row = await db
        .deleteFrom('read_tokens')
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst();
      if (row !== undefined) return toReadToken(row);
      throw new ControlError(
        'not-found',
        `Read token ${id}: expected the id of a read token, got one that does not exist. ` +
          'To see all ids, run: trackside token list',
      );
    },

    async find(token) {
      // The table contains no token of another form, so there is no need to ask.
      if (!tokenShape.test(token)) return undefined;
      const ofToken = hashApiKey(token);
      const row = await lookUp(ofToken, () =>
        db
          .selectFrom('read_tokens')
          .select(['id', 'website_id'])
          .where('token_hash', '=', ofToken)
          .executeTakeFirst(),
      );
      return row && { id: row.id, websiteId: row.website_id };
    },

    async markUsed(id) {
      const now = clock.now();
      await db
        .updateTable('read_tokens')
        .set({ last_used_at: now })
        .where('id', '=', id)
        .where((eb) =>
          eb.or([
            eb('last_used_at', 'is', null),
            eb('last_used_at', '<=', now - useIntervalMs),
            // The clock was ahead when this was written. Without this condition, the wrong time would stay
            // until then.
            eb('last_used_at', '>=', now + useIntervalMs),
          ]),
        )
        .execute();
    },
  };
}

async function countReadToken(trx: Kysely<Tables>): Promise<number> {
  const row = await trx
    .updateTable('control_state')
    .set((eb) => ({ last_read_token_id: eb('last_read_token_id', '+', 1) }))
    .returning('last_read_token_id')
    .executeTakeFirstOrThrow();
  return row.last_read_token_id;
}

function toReadToken(row: Pick<Tables['read_tokens'], (typeof columns)[number]>): ReadToken {
  const { id, website_id, name, created_at, last_used_at } = row;
  return { id, websiteId: website_id, name, createdAt: created_at, lastUsedAt: last_used_at };
}
