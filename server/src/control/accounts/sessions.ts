import { randomBytes } from 'node:crypto';
import { dayMs } from '@trackside/contract/calendar/day.ts';
import type { Kysely } from 'kysely';
import type { Clock } from '../../time/clock.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';
import { hashApiKey } from '../websites/hash-api-key.ts';
import { userNotFound } from './user-not-found.ts';

/** Who is signed in. The token itself isn't stored. */
export type Sessions = {
  /** Also notes the sign-in, and what it was done on. The token is shown only this once. */
  start(userId: number, device?: string): Promise<{ token: string; expiresAt: number }>;
  /** Lists the sessions of a user that have not ended, the last used first. */
  list(userId: number, currentToken: string): Promise<ListedSession[]>;
  /** Counts as a use, and so moves the end of the session. */
  find(token: string): Promise<{ userId: number; expiresAt: number } | undefined>;
  end(token: string): Promise<void>;
  /** Ends a session by its id in the list. Returns whether there was one. */
  endOf(userId: number, id: string): Promise<boolean>;
  endAll(userId: number, exceptToken?: string): Promise<void>;
  clearExpired(): Promise<void>;
};

export type ListedSession = {
  /** Identifies the session. It cannot be used to sign in. */
  id: string;
  device: string | null;
  createdAt: number;
  lastUsedAt: number;
  isCurrent: boolean;
};

const hourMs = 3_600_000;
/** This many digits of the hash never coincide for two sessions of one user. */
const idLength = 32;
const maxDeviceLength = 100;
/** How long a session lasts after its last use, and altogether. */
const idleMs = 30 * dayMs;
const maxAgeMs = 90 * dayMs;
const useIntervalMs = hourMs;
const secretBytes = 32;
const tokenShape = /^[\w-]{43}$/;

export function createSessions(options: { database: Database; clock: Clock }): Sessions {
  const { clock } = options;
  const { db, lookUp } = options.database;
  return {
    async start(userId, device) {
      const token = randomBytes(secretBytes).toString('base64url');
      const now = clock.now();
      const expiresAt = now + idleMs;
      await inTransaction(db, async (trx) => {
        const user = await trx
          .updateTable('users')
          .set({ last_sign_in_at: now })
          .where('id', '=', userId)
          .returning('id')
          .executeTakeFirst();
        if (user === undefined) throw userNotFound(userId);
        await trx
          .insertInto('sessions')
          .values({
            token_hash: hashApiKey(token),
            user_id: userId,
            created_at: now,
            last_used_at: now,
            expires_at: expiresAt,
            device: device?.slice(0, maxDeviceLength) ?? null,
          })
          .execute();
      });
      return { token, expiresAt };
    },

    async find(token) {
      // The table contains no token of another form, so there is no need to ask.
      if (!tokenShape.test(token)) return undefined;
      const now = clock.now();
      const ofToken = hashApiKey(token);
      const row = await lookUp(ofToken, () =>
        db.selectFrom('sessions').selectAll().where('token_hash', '=', ofToken).executeTakeFirst(),
      );
      if (row === undefined || row.expires_at <= now) return undefined;
      // This also applies if the clock was ahead, because the session would then last until that time.
      if (Math.abs(now - row.last_used_at) < useIntervalMs) {
        return { userId: row.user_id, expiresAt: row.expires_at };
      }
      const createdAt = Math.min(row.created_at, now);
      const used = await db
        .updateTable('sessions')
        .set({
          created_at: createdAt,
          last_used_at: now,
          expires_at: Math.min(now + idleMs, createdAt + maxAgeMs),
        })
        .where('token_hash', '=', ofToken)
        .returning(['user_id', 'expires_at'])
        .executeTakeFirst();
      // Undefined if the session was ended in between.
      return used && { userId: used.user_id, expiresAt: used.expires_at };
    },

    async list(userId, currentToken) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_at', '>', clock.now())
        .orderBy('last_used_at', 'desc')
        .orderBy('created_at', 'desc')
        .execute();
      const current = hashApiKey(currentToken);
      const sessions = rows.map((row) => ({
        id: row.token_hash.slice(0, idLength),
        device: row.device,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        isCurrent: row.token_hash === current,
      }));
      return sessions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
    },

    async endOf(userId, id) {
      if (id.length !== idLength) return false;
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where((where) =>
          where(where.fn('substr', ['token_hash', where.val(1), where.val(idLength)]), '=', id),
        )
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async end(token) {
      await db.deleteFrom('sessions').where('token_hash', '=', hashApiKey(token)).execute();
    },

    endAll: (userId, exceptToken) => endSessions(db, userId, exceptToken),

    async clearExpired() {
      await inTransaction(db, (trx) =>
        trx.deleteFrom('sessions').where('expires_at', '<=', clock.now()).execute(),
      );
    },
  };
}

/** A separate function, because a new password ends sessions in its own transaction. */
export async function endSessions(db: Kysely<Tables>, userId: number, exceptToken?: string): Promise<void> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId);
  if (exceptToken !== undefined) query = query.where('token_hash', '!=', hashApiKey(exceptToken));
  await query.execute();
}
