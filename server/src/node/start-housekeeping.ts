import { AssertionError } from 'node:assert';
import { auditLogKeptMs } from '../control/accounts/audit-log.ts';
import type { Control } from '../control/open-control.ts';
import { numbersKeptMs, talliesKeptMs } from '../control/tally/tallies.ts';
import { hourMs, hourOf } from '../control/tally/tally-rows.ts';
import type { Contingent } from '../intake/contingent/contingent.ts';
import type { IdempotencyIndex } from '../intake/idempotency/idempotency-index.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Ledger } from '../loader/open-ledger.ts';
import type { Loader } from '../loader/start-loader.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { createSettledClock } from '../time/settled-clock.ts';
import { pruneJournal } from './prune-journal.ts';

type Options = {
  journal: Journal;
  ledger: Ledger;
  loader: Loader;
  contingent: Contingent;
  idempotencyIndex: Pick<IdempotencyIndex, 'size' | 'holdsRecalled'>;
  /** Only one process of a server tidies up what all of them share. */
  control: Pick<Control, 'sessions' | 'auditLog' | 'tallies'> | undefined;
  clock: Clock;
  /** How long the clock must have run correctly before anything is removed because of its age. */
  clockSettleMs: number;
  log: Log;
  retentionMs: number;
  pressureBytes: number;
  /** Called when the journal or the ledger is in an impossible state. The node must stop. */
  onBroken: (error: Error) => void;
};

const checkpointMs = 5000;
const giveBackMs = 500;
const pruneMs = 30_000;
const tidyMs = 3_600_000;

/** Recurring work: writing down the usage of contingents, and removing what is no longer needed. */
export function startHousekeeping(options: Options): { stop(): Promise<void> } {
  const { contingent, control, clock, log } = options;
  const settledNow = createSettledClock(clock, options.clockSettleMs);
  const endIfBroken = (error: unknown): never => {
    if (error instanceof AssertionError) options.onBroken(error);
    throw error;
  };
  const checkpoint = repeat(
    checkpointMs,
    () => contingent.checkpoint(),
    log,
    'cannot save the monthly usage',
  );
  const giveBack = repeat(
    giveBackMs,
    () => contingent.giveBack(giveBackMs),
    log,
    'cannot give back what is left of contingents',
  );
  const prune = repeat(
    pruneMs,
    async () => {
      const removed = await pruneJournal({ ...options, covered: contingent.covered }).catch(endIfBroken);
      if (removed.length > 0)
        log.info({ segments: removed }, 'removed journal segments that are in the store');
    },
    log,
    'cannot remove old journal segments',
  );
  const tidy = repeat(
    tidyMs,
    async () => {
      const nowMs = settledNow();
      if (control === undefined || nowMs === undefined) return;
      await control.tallies.fold(hourOf(nowMs - numbersKeptMs) + hourMs);
      await control.tallies.clearOlderThan(nowMs - talliesKeptMs);
      await control.sessions.clearExpired();
      await control.auditLog.clearOlderThan(auditLogKeptMs);
    },
    log,
    'cannot remove old sessions, old entries of the audit log and old tallies',
  );
  return {
    async stop() {
      await Promise.all([checkpoint.stop(), giveBack.stop(), prune.stop(), tidy.stop()]);
    },
  };
}

function repeat(intervalMs: number, work: () => Promise<void>, log: Log, failure: string) {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
