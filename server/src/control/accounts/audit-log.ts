import type { Clock } from '../../time/clock.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';

export type AuditAction =
  | 'user.added'
  | 'user.changed'
  | 'user.removed'
  | 'user.password-changed'
  | 'user.signed-in'
  | 'user.signed-out-everywhere'
  | 'user.session-ended'
  | 'website.added'
  | 'website.changed'
  | 'website.contingent-changed'
  | 'website.key-revealed'
  | 'website.key-regenerated'
  | 'website.share-on'
  | 'website.share-off'
  | 'website.share-renewed'
  | 'website.exported'
  | 'website.demo-loaded'
  | 'website.demo-removed'
  | 'website.division-started'
  | 'website.deletion-started'
  | 'website.deleted'
  | 'website.retention-changed'
  | 'website.addresses-changed'
  | 'website.read-origins-changed'
  | 'website.exclusions-changed'
  | 'person.exported'
  | 'person.erasure-started'
  | 'person.erased'
  | 'token.added'
  | 'token.revoked'
  | 'note.added'
  | 'note.changed'
  | 'note.removed'
  | 'funnel.added'
  | 'funnel.arranged'
  | 'funnel.changed'
  | 'funnel.removed'
  | 'segment.added'
  | 'segment.changed'
  | 'segment.removed'
  | 'goal.added'
  | 'goal.changed'
  | 'goal.removed'
  | 'secret-key.rotated';

export type AuditEntry = {
  id: number;
  at: number;
  /** An email address, or the name of another actor. */
  actor: string;
  action: AuditAction;
  websiteId: number | null;
  /** What it was done to, in words, so that it stays readable when its user or its website is gone. */
  subject: string;
  detail: Record<string, unknown>;
};

/** An entry as it is given to the log, which adds the number and the time. */
export type NewAuditEntry = {
  actor: string;
  action: AuditAction;
  websiteId?: number | null | undefined;
  subject: string;
  detail?: Record<string, unknown> | undefined;
};

/**
 * Who did what and when. It never contains a secret, because every admin can read it and it is kept for a
 * long time.
 */
export type AuditLog = {
  add(entry: NewAuditEntry): Promise<void>;
  /** Newest first. With `before`, only entries with a smaller id. */
  list(page: { before?: number | undefined; limit: number }): Promise<AuditEntry[]>;
  clearOlderThan(ageMs: number): Promise<void>;
};

/** Two years. */
export const auditLogKeptMs = 2 * 365 * 24 * 3_600_000;

export function createAuditLog(options: { database: Database; clock: Clock }): AuditLog {
  const { clock } = options;
  const { db } = options.database;
  return {
    async add({ actor, action, websiteId = null, subject, detail = {} }) {
      await inTransaction(db, async (trx) => {
        const { last_audit_id: id } = await trx
          .updateTable('control_state')
          .set((eb) => ({ last_audit_id: eb('last_audit_id', '+', 1) }))
          .returning('last_audit_id')
          .executeTakeFirstOrThrow();
        await trx
          .insertInto('audit_log')
          .values({
            id,
            at: clock.now(),
            actor,
            action,
            website_id: websiteId,
            subject,
            detail: JSON.stringify(detail),
          })
          .execute();
      });
    },

    async list({ before, limit }) {
      let query = db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) query = query.where('id', '<', before);
      return (await query.execute()).map(toEntry);
    },

    async clearOlderThan(ageMs) {
      await inTransaction(db, (trx) =>
        trx
          .deleteFrom('audit_log')
          .where('at', '<', clock.now() - ageMs)
          .execute(),
      );
    },
  };
}

function toEntry(row: Tables['audit_log']): AuditEntry {
  const { id, at, actor, subject } = row;
  return {
    id,
    at,
    actor,
    action: row.action as AuditAction,
    websiteId: row.website_id,
    subject,
    detail: JSON.parse(row.detail),
  };
}
