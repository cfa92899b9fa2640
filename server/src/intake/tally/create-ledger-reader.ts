import type { LedgerAnswer } from '@trackside/contract/app/ledger.ts';
import { limitConcurrency } from '../../concurrency/limit-concurrency.ts';
import { tooManyAtOnce } from '../../control/database/control-error.ts';
import type { Control } from '../../control/open-control.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Clock } from '../../time/clock.ts';
import { type LedgerDays, readLedger } from './read-ledger.ts';

type Parts = {
  control: Pick<Control, 'tallies' | 'websites'>;
  /** Has this node write down what it has counted. */
  checkpoint: () => Promise<void>;
  clock: Pick<Clock, 'now' | 'monotonicMs'>;
};

/** How old a checkpoint may be. Each one holds up all others who write to control. */
const checkpointKeptMs = 1000;
const ofAll = { places: 2, maxWaiting: 60 };
const ofWebsite = { places: 1, maxWaiting: 10 };

/** Reads ledgers for whoever asks, a few at a time. */
export function createLedgerReader({ control, checkpoint, clock }: Parts) {
  const inTurn = limitConcurrency({ ...ofAll, whenFull: tooManyAtOnce });
  let last: { atMs: number; written: Promise<void> } | undefined;

  async function writeDown(): Promise<void> {
    const atMs = clock.monotonicMs();
    if (last === undefined || atMs - last.atMs >= checkpointKeptMs) last = { atMs, written: checkpoint() };
    const { written } = last;
    await written.catch((error: unknown) => {
      if (last?.written === written) last = undefined;
      throw error;
    });
  }

  return (website: Pick<Website, 'id' | 'timezone'>, days: LedgerDays): Promise<LedgerAnswer> =>
    inTurn(
      async () => {
        await writeDown();
        return await readLedger(control, website, days, clock);
      },
      { owner: { key: `${website.id}`, limit: ofWebsite } },
    );
}
