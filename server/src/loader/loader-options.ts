import type { DamageLog } from '../damage/damage-log.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Log } from '../log.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { Store } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';
import type { Ledger } from './open-ledger.ts';

/** What the loader asks of the store. */
export type LoadedStore = Pick<
  Store,
  | 'uuid'
  | 'migrate'
  | 'insertBatch'
  | 'countBatches'
  | 'deleteBatches'
  | 'listKeys'
  | 'lastBatch'
  | 'finishSalvage'
  | 'salvagePart'
  | 'dropSums'
  | 'listBrokenParts'
  | 'listParts'
>;

/**
 * The process that runs the INSERTs: after one of unknown outcome it is restarted, so that nothing of it goes
 * on.
 */
export type LoaderEngine = {
  isReady(): boolean;
  generation(): number;
  /** Whether rows may be missing that the store once had. */
  hasBrokenParts(): boolean;
  restart(reason: string): Promise<void>;
};

export type LoaderOptions = {
  journal: Journal;
  ledger: Ledger;
  store: LoadedStore;
  engine: LoaderEngine;
  /** Asked for every row at the moment that it is read; what it says may change. */
  isWanted: IsWanted;
  /** Where what cannot be read is remembered. */
  damage: Pick<DamageLog, 'report' | 'settle'>;
  /**
   * Called when what the loader knows can't be true. The node must stop: trying again could load records
   * twice.
   */
  onBroken: (error: Error) => void;
  clock: Clock;
  log: Log;
  intervalMs: number;
  maxRows: number;
  maxBytes: number;
};
