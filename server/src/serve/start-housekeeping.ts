import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Contingent } from '../intake/contingent.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Ledger } from '../loader/open-ledger.ts';
import type { Loader } from '../loader/start-loader.ts';
import { pruneJournal } from './prune-journal.ts';

type Options = {
  journal: Journal;
  ledger: Ledger;
  loader: Loader;
  contingent: Contingent;
  clock: Clock;
  log: Log;
  retentionMs: number;
  pressureBytes: number;
};

const checkpointMs = 5000;
const pruneMs = 30_000;

/** Work that recurs: writing down what is used of contingents, and removing journal that is no longer needed. */
export function startHousekeeping(options: Options): { stop(): Promise<void> } {
  const { contingent, clock, log } = options;
  const checkpoint = repeat(
    checkpointMs,
    () => contingent.checkpoint(),
    log,
    'cannot write down what is used',
  );
  const prune = repeat(
    pruneMs,
    async () => {
      const removed = await pruneJournal({ ...options, covered: contingent.covered, now: clock.now() });
      if (removed.length > 0) log.info({ segments: removed }, 'removed journal segments that the store has');
    },
    log,
    'cannot remove old journal segments',
  );
  return {
    async stop() {
      await Promise.all([checkpoint.stop(), prune.stop()]);
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
