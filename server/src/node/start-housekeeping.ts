import { AssertionError } from 'node:assert';
import type { Control } from '../control/open-control.ts';
import type { Contingent } from '../intake/contingent/contingent.ts';
import type { IdempotencyIndex } from '../intake/idempotency/idempotency-index.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Ledger } from '../loader/open-ledger.ts';
import type { Loader } from '../loader/start-loader.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { pruneJournal } from './prune-journal.ts';
import { repeat } from './repeat.ts';
import { startTidying } from './start-tidying.ts';

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

/** Recurring work: writing down the usage of contingents, and removing what is no longer needed. */
export function startHousekeeping(options: Options): { stop(): Promise<void> } {
  const { contingent, control, log } = options;
  const endIfBroken = (error: unknown): never => {
    if (error instanceof AssertionError) options.onBroken(error);
    throw error;
  };
  const checkpoint = repeat({
    intervalMs: checkpointMs,
    work: () => contingent.checkpoint(),
    log,
    failure: 'cannot save the monthly usage',
  });
  const giveBack = repeat({
    intervalMs: giveBackMs,
    work: () => contingent.giveBack(giveBackMs),
    log,
    failure: 'cannot give back what is left of contingents',
  });
  const prune = repeat({
    intervalMs: pruneMs,
    async work() {
      const removed = await pruneJournal({ ...options, covered: contingent.covered }).catch(endIfBroken);
      if (removed.length > 0)
        log.info({ segments: removed }, 'removed journal segments that are in the store');
    },
    log,
    failure: 'cannot remove old journal segments',
  });
  const tidying = control && startTidying({ ...options, control });
  return {
    async stop() {
      await Promise.all([checkpoint.stop(), giveBack.stop(), prune.stop(), tidying?.stop()]);
    },
  };
}
