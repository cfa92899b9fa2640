import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** How often signing in has failed for a subject, and when it failed last. */
export type Failures = Pick<Tables['sign_in_failures'], 'failures' | 'last_at'>;

/** Failures are forgotten after a day without any. */
const fadeMs = 24 * 3_600_000;
const maxRows = 100_000;

export async function readFailures(
  trx: Kysely<Tables>,
  subjects: readonly string[],
  now: number,
): Promise<Map<string, Failures>> {
  // The clock was set back. Without this, a wait would end only when the clock reaches that time again.
  await trx
    .updateTable('sign_in_failures')
    .set({ last_at: now })
    .where('subject', 'in', subjects)
    .where('last_at', '>', now)
    .execute();
  const rows = await trx
    .selectFrom('sign_in_failures')
    .selectAll()
    .where('subject', 'in', subjects)
    .where('last_at', '>', now - fadeMs)
    .execute();
  return new Map(rows.map(({ subject, ...failures }) => [subject, failures]));
}

export async function writeFailures(trx: Kysely<Tables>, subject: string, row: Failures): Promise<void> {
  await trx
    .insertInto('sign_in_failures')
    .values({ subject, ...row })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(row))
    .execute();
}

/** Takes back what one attempt added, and nothing else. */
export async function takeBackOne(trx: Kysely<Tables>, subjects: readonly string[]): Promise<void> {
  await trx
    .updateTable('sign_in_failures')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('subject', 'in', subjects)
    .where('failures', '>', 0)
    .execute();
}

export async function forgetFailures(trx: Kysely<Tables>, subject: string): Promise<void> {
  await trx.deleteFrom('sign_in_failures').where('subject', '=', subject).execute();
}

/**
 * Removes failures that have faded, and the oldest ones if there are too many: someone who guesses at random
 * must not fill the disk.
 */
export async function clearFailures(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('last_at', '<=', now - fadeMs)
    .execute();
  await db
    .deleteFrom('sign_in_failures')
    .where(
      'last_at',
      '<',
      db
        .selectFrom('sign_in_failures')
        .select('last_at')
        .orderBy('last_at', 'desc')
        .offset(maxRows - 1)
        .limit(1),
    )
    .execute();
}
