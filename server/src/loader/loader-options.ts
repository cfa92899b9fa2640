import type { DamageLog } from '../damage/damage-log.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Log } from '../log.ts';
import type { JournalPosition } from '../records/journal-position.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { Store } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';
import type { LedgerState, OnlyInStore } from './ledger-state.ts';
import type { Ledger } from './open-ledger.ts';
import type { OtherStore } from './report-gone-store.ts';

/** The part of the store that the loader uses. */
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

/** Who waits for records to be in the store. */
export type LoadedWaits = {
  isAwaited(): boolean;
  /** The store has everything before this place, except for what can't be read if `isWhole` is false. */
  noteLoaded(to: JournalPosition, isWhole: boolean): void;
  noteUnsure(): void;
};

/**
 * The process that runs the INSERTs. After an INSERT with an unknown outcome it is restarted, so that the
 * INSERT doesn't continue.
 */
export type LoaderEngine = {
  /**
   * Whether the store is not ours alone. Then it may have changed whenever it wasn't watched, and an INSERT
   * that has failed in any way may continue somewhere.
   */
  isOutside: boolean;
  isReady(): boolean;
  generation(): number;
  /** Whether rows may be missing that the store once had. */
  hasBrokenParts(): boolean;
  /** Makes sure that no INSERT continues. Afterwards, or once it is sure, there is another generation. */
  restart(reason: string): Promise<void>;
};

export type LoaderOptions = {
  journal: Journal;
  ledger: Ledger;
  store: LoadedStore;
  engine: LoaderEngine;
  /** Called for every row when it is read. The answer for a row may change. */
  isWanted: IsWanted;
  /** Remembers what can't be read. */
  damage: Pick<DamageLog, 'report' | 'settle'>;
  /**
   * Called when the loader's state is impossible. The node must stop, because trying again could load records
   * twice.
   */
  onBroken: (error: Error) => void;
  /**
   * Does work while this server builds nothing. If a damaged part were taken out of the store in the middle of a
   * build, the build would have counted records that it no longer finds.
   */
  takeBuildTurn: (work: () => Promise<void>) => Promise<void>;
  /**
   * Called before a damaged part is taken out of the store. Other loaders stop until the part is mended, and
   * then compare all of their batches.
   */
  beforeMending: () => Promise<void>;
  /** Called when the store isn't the one that was loaded before, ahead of loading anything into it. */
  onOtherStore: (found: OtherStore) => Promise<void>;
  /** Called when the store has all batches. Undefined if this loader doesn't keep the number. */
  countOnlyInStore: () => Promise<OnlyInStore | undefined>;
  /** What other loaders have brought into the same store. */
  otherLedgers: () => Promise<LedgerState[]>;
  /** Undefined if nobody waits for the store: then a batch is loaded in each interval. */
  waits: LoadedWaits | undefined;
  clock: Clock;
  log: Log;
  intervalMs: number;
  maxRows: number;
  maxBytes: number;
};
