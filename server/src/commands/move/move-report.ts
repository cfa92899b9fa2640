import type { ComparedTable } from '../../control/move/copy-control.ts';
import type { ComparedRecords } from './compare-sides.ts';

/** What a run of `trackside move` did. Programs read it with --json. */
export type MoveReport = {
  direction: 'out' | 'back';
  isFinished: boolean;
  /** Whether there was nothing left to do, because an earlier run has finished the move. */
  wasFinished: boolean;
  copied: number;
  removedBatches: number;
  records: ComparedRecords | null;
  control: ComparedTable[] | null;
};
