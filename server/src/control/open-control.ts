import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { nameDatabase } from '../files/system-fault.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { type AuditLog, createAuditLog } from './accounts/audit-log.ts';
import type { PasswordCost } from './accounts/hash-password.ts';
import { createKnownDevices } from './accounts/known-devices.ts';
import { createOperatorProofs, type OperatorProofs } from './accounts/operator-proofs.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createSignIn, type SignIn } from './accounts/sign-in.ts';
import { createSignInThrottle } from './accounts/sign-in-throttle.ts';
import { createUsers, type Users } from './accounts/users.ts';
import { ControlMissingError, ControlOpenError } from './database/control-error.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { initial } from './database/migrations/0001-initial.ts';
import { readTokens } from './database/migrations/0002-read-tokens.ts';
import { accounts } from './database/migrations/0003-accounts.ts';
import { erasureResults } from './database/migrations/0004-erasure-results.ts';
import { notesAndFunnels } from './database/migrations/0005-notes-and-funnels.ts';
import { erasedVisits } from './database/migrations/0006-erased-visits.ts';
import { readOrigins } from './database/migrations/0007-read-origins.ts';
import { addressRules } from './database/migrations/0008-address-rules.ts';
import { segmentsAndGoals } from './database/migrations/0009-segments-and-goals.ts';
import { languagesAndDevices } from './database/migrations/0010-languages-and-devices.ts';
import { funnelOrder } from './database/migrations/0011-funnel-order.ts';
import { leases } from './database/migrations/0012-leases.ts';
import { openPostgres } from './database/open-postgres.ts';
import { openSqlite } from './database/open-sqlite.ts';
import { createSecretBox, type SecretBox } from './database/secret-box.ts';
import { createSecretKey, readSecretKey } from './database/secret-key-file.ts';
import { createDeletions, type Deletions } from './privacy/deletions.ts';
import { createErasures, type Erasures } from './privacy/erasures.ts';
import { createSalts, type Salts } from './privacy/salts.ts';
import {
  createTransact,
  type ErasureWrite,
  type FunnelWrite,
  type GoalWrite,
  type NoteWrite,
  type ReadTokenWrite,
  type SegmentWrite,
  type SessionWrite,
  type Transact,
  type UserWrite,
  type WebsiteWrite,
} from './transact.ts';
import { createGoals, type Goals } from './websites/goals.ts';
import { createNotes, type Notes } from './websites/notes.ts';
import { createReadTokens, type ReadTokens } from './websites/read-tokens.ts';
import { createSavedFunnels, type SavedFunnels } from './websites/saved-funnels.ts';
import { createSavedSegments, type SavedSegments } from './websites/saved-segments.ts';
import { createUsage, type Usage } from './websites/usage.ts';
import { createWebsites, type Websites } from './websites/websites.ts';

/**
 * The small transactional database that is separate from the records: websites, keys, users, contingents,
 * salts and usage. Changes that people make go through `transact`, together with their entry in the audit
 * log.
 */
export type Control = {
  /** Whether other nodes may use the same database. */
  isShared: boolean;
  websites: Omit<Websites, WebsiteWrite>;
  readTokens: Omit<ReadTokens, ReadTokenWrite>;
  users: Omit<Users, UserWrite>;
  sessions: Omit<Sessions, SessionWrite>;
  signIn: SignIn;
  operatorProofs: OperatorProofs;
  auditLog: Omit<AuditLog, 'add'>;
  salts: Salts;
  usage: Usage;
  erasures: Omit<Erasures, ErasureWrite>;
  notes: Omit<Notes, NoteWrite>;
  savedFunnels: Omit<SavedFunnels, FunnelWrite>;
  savedSegments: Omit<SavedSegments, SegmentWrite>;
  goals: Omit<Goals, GoalWrite>;
  transact: Transact;
  /** Grows with every change of websites, keys or contingents, in the same transaction. */
  revision(): Promise<number>;
  /** Calls the listener soon after such a change, on PostgreSQL. Nobody may rely on it. */
  watchChanges(onChange: () => void): { stop(): Promise<void> };
  /**
   * Identifies this database permanently. It is created with the database, and is the same in every backup of
   * it.
   */
  installation(): Promise<string>;
  close(): Promise<void>;
};

/** Includes the writing methods themselves, which tests use to set up what they need. */
export type WritableControl = Control & {
  websites: Websites;
  readTokens: ReadTokens;
  users: Users;
  sessions: Sessions;
  auditLog: AuditLog;
  erasures: Erasures;
  deletions: Deletions;
  notes: Notes;
  savedFunnels: SavedFunnels;
  savedSegments: SavedSegments;
  goals: Goals;
};

const migrations = [
  initial,
  readTokens,
  accounts,
  erasureResults,
  notesAndFunnels,
  erasedVisits,
  readOrigins,
  addressRules,
  segmentsAndGoals,
  languagesAndDevices,
  funnelOrder,
  leases,
];
const keyCheckContext = 'control_state.key_check';

export async function openControl(options: {
  /** Where SQLite's file is. */
  folder: string;
  /** The URL of a PostgreSQL database, which then takes the place of SQLite. */
  databaseUrl?: string | undefined;
  /** Refuses a PostgreSQL database that is new. */
  mustExist?: boolean | undefined;
  secretKeyFile: string;
  clock: Clock;
  log: Log;
  /** The recommended cost if it is left out. Tests, whose passwords protect nothing, use a lower one. */
  passwordCost?: PasswordCost | undefined;
  /** Whether SQLite may block the thread of the caller. Tests save the time that a thread takes to start. */
  isOnThisThread?: boolean | undefined;
}): Promise<WritableControl> {
  const { secretKeyFile, clock, log, passwordCost, mustExist = false } = options;
  const { database, nameFault } = await openDatabase(options);
  try {
    if (mustExist && database.kind === 'postgres') await refuseNewDatabase(database);
    await migrate({ database, migrations, clock, log });
    const box = await openSecretBox({ database, secretKeyFile, log });
    const users = createUsers({ database, clock, passwordCost });
    return {
      isShared: database.kind === 'postgres',
      websites: createWebsites({ database, box, clock }),
      readTokens: createReadTokens({ database, clock }),
      users,
      sessions: createSessions({ database, clock }),
      signIn: createSignIn({
        database,
        users,
        devices: createKnownDevices(box),
        throttle: createSignInThrottle({ database, box, clock }),
      }),
      operatorProofs: createOperatorProofs({ box, clock }),
      auditLog: createAuditLog({ database, clock }),
      salts: createSalts({ database, box }),
      usage: createUsage(database),
      erasures: createErasures({ database, clock }),
      deletions: createDeletions({ database, clock }),
      notes: createNotes({ database, clock }),
      savedFunnels: createSavedFunnels({ database, clock }),
      savedSegments: createSavedSegments({ database, clock }),
      goals: createGoals({ database, clock }),
      transact: createTransact({ database, box, clock }),
      async revision() {
        const { revision } = await database.db
          .selectFrom('control_state')
          .select('revision')
          .executeTakeFirstOrThrow();
        return revision;
      },
      watchChanges: (onChange) => database.watchChanges(onChange),
      async installation() {
        const keyCheck = await readKeyCheck(database);
        // It is encrypted with a random nonce, so no two databases have the same value.
        return createHash('sha256')
          .update(keyCheck ?? '')
          .digest('hex')
          .slice(0, 32);
      },
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw nameFault(error);
  }
}

async function openDatabase(options: {
  folder: string;
  databaseUrl?: string | undefined;
  isOnThisThread?: boolean | undefined;
}): Promise<{ database: Database; nameFault: (error: unknown) => unknown }> {
  const { folder, databaseUrl, isOnThisThread = false } = options;
  // An error of PostgreSQL already has the name of the database.
  if (databaseUrl !== undefined) return { database: openPostgres(databaseUrl), nameFault: (error) => error };
  const path = join(folder, 'control.db');
  const nameFault = (error: unknown) => nameDatabase(error, `the control database ${path}`);
  const database = await openSqlite(path, { isOnThisThread }).catch((error: unknown) => {
    throw nameFault(error);
  });
  return { database, nameFault };
}

async function refuseNewDatabase({ db }: Database): Promise<void> {
  const { rows } = await sql<{
    found: string | null;
  }>`select to_regclass('migrations')::text as found`.execute(db);
  if (rows[0]?.found === null) throw new ControlMissingError('The database holds no control data.');
}

async function openSecretBox(options: {
  database: Database;
  secretKeyFile: string;
  log: Log;
}): Promise<SecretBox> {
  const { database, secretKeyFile, log } = options;
  let key = await readSecretKey(secretKeyFile);
  if (key === undefined) {
    const isTaken = database.kind === 'postgres' && (await readKeyCheck(database)) !== null;
    if (isTaken || (await hasWebsites(database))) {
      throw new ControlOpenError(
        `The secret key file ${secretKeyFile} is missing, and the API keys in the control database ` +
          'cannot be decrypted without it. Restore the file from your copy, ' +
          'or point TRACKSIDE_SECRET_KEY_FILE to it.',
      );
    }
    key = await createSecretKey(secretKeyFile);
    log.info(
      { file: secretKeyFile },
      'secret key created: keep a copy of this file, separate from the backups',
    );
  }
  const box = createSecretBox(key);
  await checkKey({ database, box, secretKeyFile });
  return box;
}

/** Without this, a wrong key would be noticed only when the first website is read. */
async function checkKey(options: {
  database: Database;
  box: SecretBox;
  secretKeyFile: string;
}): Promise<void> {
  const { database, box, secretKeyFile } = options;
  const keyCheck = await readKeyCheck(database);
  if (keyCheck !== null && canOpen(box, keyCheck)) return;
  // A new SQLite file has no other user. Other nodes may have a PostgreSQL database open with their key.
  if (keyCheck !== null && (database.kind === 'postgres' || (await hasWebsites(database)))) {
    throw new ControlOpenError(
      `The secret key in ${secretKeyFile} is not the one that the control database was created with. ` +
        'Restore the right file, or point TRACKSIDE_SECRET_KEY_FILE to it.',
    );
  }
  const { numUpdatedRows } = await database.db
    .updateTable('control_state')
    .set({ key_check: box.seal(Buffer.alloc(0), keyCheckContext) })
    .where('key_check', 'is not distinct from', keyCheck)
    .executeTakeFirstOrThrow();
  // Another process was first. Its key must be the same.
  if (numUpdatedRows === 0n) await checkKey(options);
}

async function readKeyCheck({ db }: Database): Promise<Uint8Array | null> {
  const row = await db.selectFrom('control_state').select('key_check').executeTakeFirstOrThrow();
  return row.key_check;
}

function canOpen(box: SecretBox, sealed: Uint8Array): boolean {
  try {
    box.open(sealed, keyCheckContext);
    return true;
  } catch {
    return false;
  }
}

async function hasWebsites({ db }: Database): Promise<boolean> {
  return (await db.selectFrom('websites').select('id').limit(1).executeTakeFirst()) !== undefined;
}
