import type { CommandInput } from '../command.ts';

export type MoveProgress = ReturnType<typeof createMoveProgress>;

/** A rate that is measured for less time than this says little. */
const measuredMs = 2_000;

/** Counts what a move does, and tells the person at the terminal. */
export function createMoveProgress(show: CommandInput['progress']) {
  let toCopy = 0;
  let ofPass = 0;
  let passBeganMs = performance.now();
  let movedAtMs = performance.now();
  const totals = { copied: 0, removedBatches: 0 };
  const count = (n: number) => Math.round(n).toLocaleString('en-US');
  const perSecond = (): number | undefined => {
    const tookMs = performance.now() - passBeganMs;
    return tookMs < measuredMs || ofPass === 0 ? undefined : (ofPass / tookMs) * 1000;
  };
  const touch = () => {
    movedAtMs = performance.now();
  };
  return {
    totals,
    perSecond,
    /** How long nothing has come forward. */
    stuckMs: () => performance.now() - movedAtMs,
    begin(records: number): void {
      toCopy = records;
      ofPass = 0;
      passBeganMs = performance.now();
    },
    copied(records: number): void {
      totals.copied += records;
      ofPass += records;
      touch();
      const rate = perSecond();
      const leftSeconds = rate === undefined ? undefined : Math.max(0, toCopy - ofPass) / rate;
      const left = leftSeconds === undefined ? '' : `, ${spellSeconds(leftSeconds)} left`;
      const percent = Math.min(100, Math.floor((100 * ofPass) / Math.max(1, toCopy)));
      show(`Copied ${count(ofPass)} of ${count(toCopy)} records (${percent}%)${left}`, { isPassing: true });
    },
    removed(batches: number): void {
      totals.removedBatches += batches;
      touch();
    },
    /** Nothing else may count as coming forward: each new attempt gets as far as the last one. */
    checked: touch,
    checking(day: string): void {
      show(`Comparing the records of ${day} …`, { isPassing: true });
    },
    waiting(why: string): void {
      show(`${why}. Trying again …`, { isPassing: true });
    },
  };
}

export function spellSeconds(seconds: number): string {
  if (seconds < 60) return 'less than a minute';
  if (seconds < 5_400) return `about ${Math.round(seconds / 60)} min`;
  return `about ${Math.round(seconds / 3_600)} h`;
}
