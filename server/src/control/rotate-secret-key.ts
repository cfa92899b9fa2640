import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { createAuditLog, type NewAuditEntry } from './accounts/audit-log.ts';
import { ControlOpenError } from './database/control-error.ts';
import type { Database } from './database/database.ts';
import { fitsKeyCheck, readKeyCheck, refuseOldKey, resealKeyCheck } from './database/key-check.ts';
import { openSecretBox } from './database/open-secret-box.ts';
import { raiseRevision } from './database/raise-revision.ts';
import { listSealedValues } from './database/sealed-values.ts';
import { createSecretBox, type SecretBox } from './database/secret-box.ts';
import {
  copyAccess,
  createSecretKey,
  findNextKeyFile,
  readSecretKey,
  replaceSecretKey,
} from './database/secret-key-file.ts';
import type { Tables } from './database/tables.ts';
import { countOthers } from './move/peek-control.ts';
import { openMigrated, refuseMoved } from './open-control.ts';

/** Shorter than others wait for the lock. */
const [maxWaits, waitMs] = [20, 100];

export type RotationStep = 'created' | 'encrypted' | 'committed' | 'replaced';

/**
 * Encrypts everything in control with a new key. The new key is on disk before the database changes, and the
 * database changes in one transaction. Whoever opens it finds the key that fits: the file in place, or, if
 * this process ended right after the transaction, the one that waits beside it. No server may run meanwhile.
 */
export async function rotateSecretKey(options: {
  folder: string;
  databaseUrl?: string | undefined;
  secretKeyFile: string;
  /** Where the new key is, or is created, if the file in place can't be written. It is left there. */
  newKeyFile?: string | undefined;
  entry: NewAuditEntry;
  clock: Clock;
  log: Log;
  /** Called after each step. Tests end the process there. */
  onStep?: (step: RotationStep) => void;
}): Promise<{ values: number; wasDone: boolean }> {
  const { secretKeyFile, newKeyFile, entry, clock, log, onStep = () => {} } = options;
  const database = await openMigrated(options);
  try {
    await refuseMoved(database);
    if (newKeyFile !== undefined && (await isEncryptedWith(database, newKeyFile)))
      return { values: (await listSealedValues(database.db)).length, wasDone: true };
    const old = await openSecretBox({ database, secretKeyFile, log });
    const nextFile = newKeyFile ?? (await findNextKeyFile(secretKeyFile));
    // A file that an interrupted attempt has left is used.
    const next = createSecretBox(await createSecretKey(nextFile));
    if (newKeyFile === undefined) await copyAccess(secretKeyFile, nextFile);
    onStep('created');
    const values = await database.db.transaction().execute(async (trx) => {
      if (database.kind === 'postgres') await keepOthersOut(trx);
      const encrypted = await encryptAgain(trx, old, next);
      await createAuditLog({ database: { ...database, db: trx }, clock }).add(entry);
      onStep('encrypted');
      return encrypted;
    });
    onStep('committed');
    if (newKeyFile === undefined) await replaceSecretKey(secretKeyFile);
    // What the old key opens is gone from the files too.
    if (!(await database.scrub())) log.warn('a reader still holds what the old secret key opens');
    onStep('replaced');
    return { values, wasDone: false };
  } finally {
    await database.close();
  }
}

async function isEncryptedWith({ db }: Database, file: string): Promise<boolean> {
  const [key, keyCheck] = [await readSecretKey(file), await readKeyCheck(db)];
  return key !== undefined && keyCheck !== null && fitsKeyCheck(createSecretBox(key), keyCheck);
}

/**
 * Whoever opens the database from here on waits for the end of the transaction, and then reads the new check.
 * Nobody who opened it before may still be there, because they have the old key in memory.
 */
async function keepOthersOut(trx: Kysely<Tables>): Promise<void> {
  await sql`lock table control_state in access exclusive mode`.execute(trx);
  let others = await countOthers(trx);
  // PostgreSQL takes a moment to notice that somebody has left.
  for (let waits = 0; others > 0 && waits < maxWaits; waits++) {
    await delay(waitMs);
    await sql`select pg_stat_clear_snapshot()`.execute(trx);
    others = await countOthers(trx);
  }
  if (others === 0) return;
  throw new ControlOpenError(
    `Servers or commands have ${others} other ${others === 1 ? 'connection' : 'connections'} to this ` +
      'database. Stop all of them, then run the command again. Nothing was changed.',
  );
}

async function encryptAgain(trx: Kysely<Tables>, old: SecretBox, next: SecretBox): Promise<number> {
  // Another rotation may have been faster.
  await refuseOldKey(trx, old);
  const values = await listSealedValues(trx);
  for (const { open, write, context } of values) await write(trx, next.seal(open(old), context));
  const keyCheck = resealKeyCheck(next, (await readKeyCheck(trx))!);
  await trx.updateTable('control_state').set({ key_check: keyCheck }).execute();
  // They are counted under names that only the old key makes.
  await trx.deleteFrom('sign_in_failures').execute();
  await raiseRevision(trx);
  return values.length;
}
