import type { Clock } from '../time/clock.ts';
import { type AuditLog, createAuditLog, type NewAuditEntry } from './accounts/audit-log.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createUsers, type UserChanges } from './accounts/users.ts';
import type { Database } from './database/database.ts';
import { inTransaction } from './database/in-transaction.ts';
import { refuseOldKey } from './database/key-check.ts';
import type { SecretBox } from './database/secret-box.ts';
import { createDeletions, type Deletions } from './privacy/deletions.ts';
import { createErasures, type Erasures } from './privacy/erasures.ts';
import { createGoals, type Goals } from './websites/goals.ts';
import { createNotes, type Notes } from './websites/notes.ts';
import { createReadTokens, type ReadTokens } from './websites/read-tokens.ts';
import { createSavedFunnels, type SavedFunnels } from './websites/saved-funnels.ts';
import { createSavedSegments, type SavedSegments } from './websites/saved-segments.ts';
import { createWebsites, type Websites } from './websites/websites.ts';

/**
 * What can be changed in one transaction. Nothing here is slow, because the transaction keeps everyone else
 * from writing. And nothing waits in the queue of lookups, because those in the queue may be waiting for the
 * transaction.
 */
export type Changes = {
  websites: Pick<Websites, 'find' | WebsiteWrite>;
  readTokens: Pick<ReadTokens, ReadTokenWrite>;
  users: Pick<UserChanges, 'get' | 'hasPassword' | UserWrite>;
  sessions: Pick<Sessions, 'end' | 'endOf' | SessionWrite>;
  erasures: Pick<Erasures, ErasureWrite>;
  deletions: Deletions;
  notes: Pick<Notes, NoteWrite>;
  savedFunnels: Pick<SavedFunnels, FunnelWrite>;
  savedSegments: Pick<SavedSegments, SegmentWrite>;
  goals: Pick<Goals, GoalWrite>;
};

/**
 * Changes that are made only together with their entry in the audit log. Showing an API key counts as a
 * change.
 */
export type WebsiteWrite = 'add' | 'update' | 'apiKey' | 'regenerateKey' | 'setShare';
export type ReadTokenWrite = 'add' | 'revoke';
export type UserWrite = 'add' | 'addFirst' | 'setPassword' | 'update' | 'remove';
export type SessionWrite = 'start' | 'endAll';
export type ErasureWrite = 'add' | 'finish';
export type NoteWrite = 'add' | 'change' | 'remove';
export type SegmentWrite = 'add' | 'change' | 'remove';
export type GoalWrite = 'add' | 'change' | 'remove';
export type FunnelWrite = NoteWrite | 'arrange';

/**
 * Makes a change and writes its entries in one transaction, so that both happen or neither does. A change
 * without an entry is undone, so no change can go unnoticed. The work must not use control itself, which
 * waits until the transaction ends.
 */
export type Transact = <T>(
  work: (changes: Changes) => Promise<{ result: T; entries: readonly NewAuditEntry[] }>,
) => Promise<T>;

type Parts = { database: Database; box: SecretBox; clock: Clock };

export function createTransact({ database, box, clock }: Parts): Transact {
  return async <T>(work: Parameters<Transact>[0]) => {
    try {
      return await inTransaction(database.db, async (trx) => {
        await refuseOldKey(trx, box);
        const within = createChanges({ database: { ...database, db: trx }, box, clock });
        const { result, entries } = await work(within);
        if (entries.length === 0) throw new Undone(result);
        for (const entry of entries) await within.auditLog.add(entry);
        return result as T;
      });
    } catch (error) {
      if (error instanceof Undone) return error.result as T;
      throw error;
    }
  };
}

/** Thrown so that the transaction is rolled back. */
class Undone extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('undone, because there is no entry for the audit log');
    this.result = result;
  }
}

function createChanges(parts: Parts): Changes & { auditLog: Pick<AuditLog, 'add'> } {
  return {
    websites: createWebsites(parts),
    readTokens: createReadTokens(parts),
    users: createUsers(parts),
    sessions: createSessions(parts),
    erasures: createErasures(parts),
    deletions: createDeletions(parts),
    notes: createNotes(parts),
    savedFunnels: createSavedFunnels(parts),
    savedSegments: createSavedSegments(parts),
    goals: createGoals(parts),
    auditLog: createAuditLog(parts),
  };
}
