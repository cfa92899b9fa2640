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
import { readKeyCheck, toInstallation } from './database/key-check.ts';
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
import { nodes } from './database/migrations/0013-nodes.ts';
import { moved } from './database/migrations/0014-moved.ts';
import { keyHolders } from './database/migrations/0015-key-holders.ts';
import { backupPlaces } from './database/migrations/0016-backup-places.ts';
import { kindsOfWantedBuilds } from './database/migrations/0017-kinds-of-wanted-builds.ts';
import { leftKeys } from './database/migrations/0018-left-keys.ts';
import { exclusions } from './database/migrations/0020-exclusions.ts';
import { tallies } from './database/migrations/0022-tallies.ts';
import { lostWebsites } from './database/migrations/0023-lost-websites.ts';
import { openPostgres } from './database/open-postgres.ts';
import { openSecretBox } from './database/open-secret-box.ts';
import { openSqlite } from './database/open-sqlite.ts';
import { trySealedValues } from './database/sealed-values.ts';
import { createKeyHolders, type KeyHolders } from './nodes/key-holders.ts';
import { createNodes, type Nodes } from './nodes/nodes.ts';
import { createOwnership, type Ownership } from './nodes/ownership.ts';
import { createToldTimes, type ToldTimes } from './nodes/told-times.ts';
import { createWantedBuilds, type WantedBuilds } from './nodes/wanted-builds.ts';
import { type BackupPlaces, createBackupPlaces } from './privacy/backup-places.ts';
import { createDeletions, type Deletions } from './privacy/deletions.ts';
import { createErasures, type Erasures } from './privacy/erasures.ts';
import { createSalts, type Salts } from './privacy/salts.ts';
import { createTallies, type Tallies } from './tally/tallies.ts';
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
  tallies: Tallies;
  nodes: Nodes;
  ownership: Ownership;
  wantedBuilds: WantedBuilds;
  toldTimes: ToldTimes;
  keyHolders: KeyHolders;
  backupPlaces: BackupPlaces;
  /** Known to all nodes with the same secret key, and to nobody else. */
  nodeSecret: string;
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
  /** Opens everything that is encrypted. Names the places of what the secret key doesn't open. */
  trySecrets(): Promise<{ values: number; broken: string[] }>;
  /** Reads the whole database and throws if it is damaged. */
  checkPages(): Promise<void>;
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
  nodes,
  moved,
  keyHolders,
  backupPlaces,
  kindsOfWantedBuilds,
  leftKeys,
  exclusions,
  tallies,
  lostWebsites,
];

export async function openControl(options: {
  /** Where SQLite's file is. */
  folder: string;
  /** The URL of a PostgreSQL database, which then takes the place of SQLite. */
  databaseUrl?: string | undefined;
  /** Whether to wait longer for PostgreSQL than somebody would wait for an answer. */
  isPatient?: boolean | undefined;
  /** Refuses a PostgreSQL database that is new. */
  mustExist?: boolean | undefined;
  /** Refuses a file of SQLite with a damaged page, wherever that is. */
  mustBeWhole?: boolean | undefined;
  secretKeyFile: string;
  clock: Clock;
  log: Log;
  /** The recommended cost if it is left out. Tests, whose passwords protect nothing, use a lower one. */
  passwordCost?: PasswordCost | undefined;
  /** Whether SQLite may block the thread of the caller. Tests save the time that a thread takes to start. */
  isOnThisThread?: boolean | undefined;
}): Promise<WritableControl> {
  const { secretKeyFile, clock, log, passwordCost, mustExist = false, mustBeWhole = false } = options;
  const { database, nameFault } = await openDatabase(options);
  try {
    if (mustExist && database.kind === 'postgres') await refuseNewDatabase(database);
    if (mustBeWhole) await database.checkPages({ isQuick: true });
    await migrate({ database, migrations, clock, log });
    await refuseMoved(database);
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
      tallies: createTallies(database),
      nodes: createNodes(database),
      ownership: createOwnership(database),
      wantedBuilds: createWantedBuilds(database),
      toldTimes: createToldTimes(database),
      keyHolders: createKeyHolders(database),
      backupPlaces: createBackupPlaces(database),
      nodeSecret: box.pseudonym('nodes', 'nodes.secret'),
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
        return toInstallation(await readKeyCheck(database.db));
      },
      trySecrets: () => trySealedValues(database.db, box),
      checkPages: () => database.checkPages({ isQuick: false }),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw nameFault(error);
  }
}

/** Opens a database and brings it up to date, whatever is in it. */
export async function openMigrated(options: {
  folder: string;
  databaseUrl?: string | undefined;
  clock: Clock;
  log: Log;
}): Promise<Database> {
  const { database, nameFault } = await openDatabase({ ...options, isPatient: true });
  try {
    await migrate({ ...options, database, migrations });
    return database;
  } catch (error) {
    await database.close();
    throw nameFault(error);
  }
}

async function openDatabase(options: {
  folder: string;
  databaseUrl?: string | undefined;
  isPatient?: boolean | undefined;
  isOnThisThread?: boolean | undefined;
}): Promise<{ database: Database; nameFault: (error: unknown) => unknown }> {
  const { folder, databaseUrl, isPatient = false, isOnThisThread = false } = options;
  // An error of PostgreSQL already has the name of the database.
  if (databaseUrl !== undefined)
    return { database: openPostgres(databaseUrl, { isPatient }), nameFault: (error) => error };
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

/** Otherwise, two servers would go on from the same state, each with changes that the other lacks. */
export async function refuseMoved({ db, kind }: Database): Promise<void> {
  const { moved_to } = await db.selectFrom('control_state').select('moved_to').executeTakeFirstOrThrow();
  if (moved_to === null) return;
  const todo =
    kind === 'sqlite'
      ? 'Set TRACKSIDE_DATABASE_URL and TRACKSIDE_CLICKHOUSE_URL to use it there. '
      : 'Start the server there, without TRACKSIDE_DATABASE_URL and TRACKSIDE_CLICKHOUSE_URL. ';
  throw new ControlOpenError(
    `This installation was moved to ${moved_to}. ${todo}` +
      'If the move was interrupted, run `trackside move --finish` again, as before.',
  );
}
