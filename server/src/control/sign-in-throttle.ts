import type { Kysely } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { Database } from './database.ts';
import { normalizeEmail } from './parse-email.ts';
import type { SecretBox } from './secret-box.ts';
import type { Tables } from './tables.ts';
import { toNetwork } from './to-network.ts';

export type SignInAttempt = {
  email: string;
  /** Undefined when it cannot be known: then only the account counts. */
  address: string | undefined;
};

/**
 * Makes guessing passwords slow, per account and per address, over restarts.
 *
 * An attempt counts as failed when it begins, so that many at once cannot all slip through before the first has failed;
 * success takes it back. Who waits does not wait longer for asking again.
 */
export type SignInThrottle = {
  /** Before the password is verified. Zero seconds: go on. Otherwise the attempt must not be made, and is not counted. */
  begin(attempt: SignInAttempt): Promise<{ waitSeconds: number }>;
  succeeded(attempt: SignInAttempt): Promise<void>;
};

const dayMs = 24 * 3_600_000;
const maxWaitMs = 15 * 60_000;
/** Failures without a wait. An address may be that of a whole office. */
const free = { account: 5, address: 20 };
const fadeMs = dayMs;
/** How long an address is remembered as one from which the account has signed in. */
const knownMs = 30 * dayMs;
const clearIntervalMs = 10 * 60_000;
const maxRows = 100_000;

type Failures = Pick<Tables['sign_in_failures'], 'failures' | 'last_at'>;

export function createSignInThrottle(options: {
  database: Database;
  box: Pick<SecretBox, 'pseudonym'>;
  clock: Clock;
}): SignInThrottle {
  const { box, clock } = options;
  const { db } = options.database;
  let clearedAtMs = Number.NEGATIVE_INFINITY;

  async function clearSometimes(): Promise<void> {
    if (clock.monotonicMs() - clearedAtMs < clearIntervalMs) return;
    clearedAtMs = clock.monotonicMs();
    await clear(db, clock.now());
  }

  return {
    async begin(attempt) {
      await clearSometimes();
      const now = clock.now();
      const subjects = subjectsOf(box, attempt);
      // It is alone with the table; on PostgreSQL it will have to lock the rows.
      return await db.transaction().execute(async (trx) => {
        const rows = await readRows(trx, Object.values(subjects), now);
        const known = subjects.known === undefined ? undefined : rows.get(subjects.known);
        // Where the account has signed in before, only failures from there count: whoever keeps guessing elsewhere must
        // not be able to keep its owner out.
        const counted = known === undefined ? subjects.account : subjects.known!;
        const waitsMs = [waitMs(rows.get(counted), free.account, now)];
        if (known === undefined && subjects.address !== undefined) {
          waitsMs.push(waitMs(rows.get(subjects.address), free.address, now));
        }
        const waitSeconds = Math.ceil(Math.max(...waitsMs) / 1000);
        if (waitSeconds === 0) {
          for (const subject of [counted, subjects.address]) {
            if (subject !== undefined) await write(trx, subject, (rows.get(subject)?.failures ?? 0) + 1, now);
          }
        }
        return { waitSeconds };
      });
    },

    async succeeded(attempt) {
      const now = clock.now();
      const { account, address, known } = subjectsOf(box, attempt);
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom('sign_in_failures').where('subject', '=', account).execute();
        // Only its own attempt: signing in to one account must not give back guesses at others.
        if (address !== undefined) {
          await trx
            .updateTable('sign_in_failures')
            .set((eb) => ({ failures: eb('failures', '-', 1) }))
            .where('subject', '=', address)
            .where('failures', '>', 0)
            .execute();
        }
        if (known !== undefined) await write(trx, known, 0, now);
      });
    },
  };
}

/** Under a key: what was typed may be a password in the wrong field, and an address can be found by trying all of them. */
function subjectsOf(box: Pick<SecretBox, 'pseudonym'>, { email, address }: SignInAttempt) {
  const named = (kind: string, text: string) => `${kind}:${box.pseudonym(text, `sign-in ${kind}`)}`;
  const account = normalizeEmail(email);
  const network = address === undefined ? undefined : toNetwork(address);
  return {
    account: named('account', account),
    address: network === undefined ? undefined : named('address', network),
    known: network === undefined ? undefined : named('known', `${account}\n${network}`),
  };
}

async function readRows(
  trx: Kysely<Tables>,
  subjects: (string | undefined)[],
  now: number,
): Promise<Map<string, Failures>> {
  const asked = subjects.filter((subject) => subject !== undefined);
  // The clock was set back: without this, a wait would end only when it is as late again.
  await trx
    .updateTable('sign_in_failures')
    .set({ last_at: now })
    .where('subject', 'in', asked)
    .where('last_at', '>', now)
    .execute();
  const rows = await trx.selectFrom('sign_in_failures').selectAll().where('subject', 'in', asked).execute();
  const current = rows
    .filter(({ subject, last_at }) => last_at > now - (isKnown(subject) ? knownMs : fadeMs))
    .map(({ subject, failures, last_at }): [string, Failures] => {
      const hasFaded = last_at <= now - fadeMs;
      return [subject, { failures: hasFaded ? 0 : failures, last_at }];
    });
  return new Map(current);
}

function waitMs(row: Failures | undefined, freeFailures: number, now: number): number {
  if (row === undefined || row.failures < freeFailures) return 0;
  const wholeMs = Math.min(1000 * 2 ** (row.failures - freeFailures), maxWaitMs);
  return Math.max(0, row.last_at + wholeMs - now);
}

async function write(trx: Kysely<Tables>, subject: string, failures: number, now: number): Promise<void> {
  await trx
    .insertInto('sign_in_failures')
    .values({ subject, failures, last_at: now })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ failures, last_at: now }))
    .execute();
}

const isKnown = (subject: string) => subject.startsWith('known:');

/** Removes what has faded, and the oldest of too many: whoever guesses at random must not fill the disk. */
async function clear(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where((eb) =>
      eb.or([
        eb('last_at', '<=', now - knownMs),
        eb.and([eb('last_at', '<=', now - fadeMs), eb('subject', 'not like', 'known:%')]),
      ]),
    )
    .execute();
  const failures = db.selectFrom('sign_in_failures').where('subject', 'not like', 'known:%');
  await db
    .deleteFrom('sign_in_failures')
    .where('subject', 'not like', 'known:%')
    .where(
      'last_at',
      '<',
      failures
        .select('last_at')
        .orderBy('last_at', 'desc')
        .offset(maxRows - 1)
        .limit(1),
    )
    .execute();
}
