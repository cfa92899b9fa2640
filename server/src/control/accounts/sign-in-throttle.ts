import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import type { Clock } from '../../time/clock.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { SecretBox } from '../database/secret-box.ts';
import { normalizeEmail } from './parse-email.ts';
import {
  clearFailures,
  type Failures,
  forgetFailures,
  readFailures,
  takeBackOne,
  writeFailures,
} from './sign-in-failures.ts';
import { toNetwork } from './to-network.ts';

/** Who is trying to sign in: a device that has proved that it knows the account, or a stranger. */
export type SignInAttempt =
  | { device: string }
  | {
      device?: undefined;
      email: string;
      /** Undefined if it can't be known. All such strangers share one allowance. */
      address: string | undefined;
    };

/**
 * Slows down password guessing, across restarts. A device that has signed in to the account before has its
 * own allowance, which nobody else can use up. Strangers are counted by account, by address, and all
 * together.
 *
 * An attempt counts as failed when it begins, so that many simultaneous attempts can't all get through before
 * the first has failed. Success takes it back. Asking again doesn't make a wait longer.
 */
export type SignInThrottle = {
  /**
   * Answers from memory alone, and without the account if it isn't known yet. If the wait is more than zero,
   * begin() would say the same.
   */
  knownWait(attempt: SignInAttempt | { address: string | undefined }): { waitSeconds: number };
  /**
   * Called before the password is verified. Zero seconds means that the attempt can go on. Otherwise it must
   * not be made, and isn't counted.
   */
  begin(attempt: SignInAttempt): Promise<{ waitSeconds: number }>;
  succeeded(attempt: SignInAttempt): Promise<void>;
};

/**
 * The failures that cost no wait, and what follows: a wait that doubles, or an attempt that becomes free at
 * intervals.
 */
type Rule = { free: number; everyMs?: number };
type Subject = { name: string; rule: Rule };

const rules = {
  account: { free: 5 },
  device: { free: 5 },
  /** An address may belong to a whole office. */
  address: { free: 20 },
  // The interval is constant, because a growing wait would keep everyone out.
  nowhere: { free: 20, everyMs: 6000 },
  everyone: { free: 50, everyMs: 2000 },
} as const satisfies Record<string, Rule>;
const maxWaitMs = 15 * 60_000;
const clearIntervalMs = 10 * 60_000;
const maxRemembered = 10_000;
const everyone: Subject = { name: 'everyone', rule: rules.everyone };
const nowhere: Subject = { name: 'nowhere', rule: rules.nowhere };

export function createSignInThrottle(options: {
  database: Database;
  box: Pick<SecretBox, 'pseudonym'>;
  clock: Clock;
}): SignInThrottle {
  const { box, clock } = options;
  const { db } = options.database;
  const waitUntilMs = createBoundedCache<number>({ maxEntries: maxRemembered });
  let clearedAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Hashed with a key: the text may be a password that was typed into the wrong field, and an address could
   * be found by trying all of them.
   */
  const named = (kind: 'account' | 'device' | 'address', text: string): Subject => ({
    name: `${kind}:${box.pseudonym(text, `sign-in ${kind}`)}`,
    rule: rules[kind],
  });
  const placeOf = (address: string | undefined) =>
    address === undefined ? nowhere : named('address', toNetwork(address));
  const subjectsOf = (attempt: Parameters<SignInThrottle['knownWait']>[0]): Subject[] => {
    if ('device' in attempt && attempt.device !== undefined) return [named('device', attempt.device)];
    const place = placeOf(attempt.address);
    if (!('email' in attempt)) return [everyone, place];
    return [everyone, place, named('account', normalizeEmail(attempt.email))];
  };

  function rememberedWaitMs(subjects: Subject[]): number {
    const nowMs = clock.monotonicMs();
    return Math.max(0, ...subjects.map(({ name }) => (waitUntilMs.get(name) ?? nowMs) - nowMs));
  }

  async function clearSometimes(): Promise<void> {
    if (clock.monotonicMs() - clearedAtMs < clearIntervalMs) return;
    clearedAtMs = clock.monotonicMs();
    await inTransaction(db, (trx) => clearFailures(trx, clock.now()));
  }

  return {
    knownWait: (attempt) => ({ waitSeconds: toSeconds(rememberedWaitMs(subjectsOf(attempt))) }),

    async begin(attempt) {
      const subjects = subjectsOf(attempt);
      const waitingMs = rememberedWaitMs(subjects);
      if (waitingMs > 0) return { waitSeconds: toSeconds(waitingMs) };
      await clearSometimes();
      const now = clock.now();
      const names = subjects.map(({ name }) => name);
      // No other transaction writes in the meantime.
      return await inTransaction(db, async (trx) => {
        const rows = await readFailures(trx, names, now);
        const waitsMs = subjects.map(({ name, rule }) => waitMs(rule, rows.get(name), now));
        const longestMs = Math.max(...waitsMs);
        subjects.forEach(({ name }, at) => {
          if (waitsMs[at]! > 0) waitUntilMs.set(name, clock.monotonicMs() + waitsMs[at]!);
        });
        if (longestMs === 0) {
          for (const { name, rule } of subjects) {
            const failures = Math.ceil(levelOf(rule, rows.get(name), now)) + 1;
            await writeFailures(trx, name, { failures, last_at: now });
          }
        }
        return { waitSeconds: toSeconds(longestMs) };
      });
    },

    async succeeded(attempt) {
      const subjects = subjectsOf(attempt);
      const isShared = ({ rule }: Subject) => rule !== rules.account && rule !== rules.device;
      const own = subjects.find((subject) => !isShared(subject))!;
      const shared = subjects.filter(isShared).map(({ name }) => name);
      await inTransaction(db, async (trx) => {
        await forgetFailures(trx, own.name);
        // Takes back only its own attempt: signing in to one account must not give back guesses at others.
        if (shared.length > 0) await takeBackOne(trx, shared);
      });
      waitUntilMs.delete(own.name);
    },
  };
}

const toSeconds = (ms: number) => Math.ceil(ms / 1000);

/** The number of failures that count now. */
function levelOf({ everyMs }: Rule, row: Failures | undefined, now: number): number {
  if (row === undefined) return 0;
  return everyMs === undefined ? row.failures : Math.max(0, row.failures - (now - row.last_at) / everyMs);
}

function waitMs(rule: Rule, row: Failures | undefined, now: number): number {
  const level = levelOf(rule, row, now);
  if (rule.everyMs !== undefined) return Math.max(0, (level - rule.free + 1) * rule.everyMs);
  if (row === undefined || level < rule.free) return 0;
  const wholeMs = Math.min(1000 * 2 ** (level - rule.free), maxWaitMs);
  return Math.max(0, row.last_at + wholeMs - now);
}
