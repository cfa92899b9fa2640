import type { WatchedRequests } from '../../http/tracking/recent-requests.ts';
import type { LoaderState } from '../../loader/loader-progress.ts';
import type { JournalPosition } from '../../records/journal-position.ts';

/** What a worker is started with. It comes over the channel, because others could read its arguments. */
export type WorkerStart = {
  worker: number;
  /** How many workers take records, this one included. */
  workers: number;
  /** Takes no records. It brings what an earlier server has left in its journal into the store. */
  isRetired: boolean;
  keysMovedAtMs: number;
  dataDir: string;
  databaseUrl: string | undefined;
  secretKeyFile: string;
  logLevel: string;
  /** Where compiled code is kept between starts, if it is. */
  compileCache: string | undefined;
  isTerminal: boolean;
  journalMaxBytes: number;
  journalRetentionMs: number;
  lateHours: number;
  minFreeBytes: number;
  ack: 'disk' | 'store';
};

/** What a worker says about itself, a few times a second. */
export type WorkerReport = {
  /** Everything that this worker received by this time is in the store. */
  completeUpToMs: number;
  /** The time of the oldest records that its journal holds. */
  holdsFromMs: number;
  isFull: boolean;
  isStoreAway: boolean;
  oldestUnansweredMs: number;
  isControlFailing: boolean;
  loader: LoaderState;
  /** How many records were refused this month because of the contingent, by website. */
  refused: readonly (readonly [websiteId: number, records: number])[];
};

/** The engine, as far as a worker's loader has to know it. */
export type EngineView = {
  /** Whether the first worker has prepared the store, so that others can load. */
  isReady: boolean;
  generation: number;
  hasBrokenParts: boolean;
  /** How often a damaged part was taken out of the store. After that, all batches are compared. */
  mends: number;
};

/** What a worker does for the first one. */
export type WorkerAnswers = {
  start(options: WorkerStart): Promise<WorkerReport>;
  /** Accepts connections from the port, which comes as a handle. */
  listen(): void;
  engine(view: EngineView): void;
  /** Settles when nothing is being loaded. Loading goes on with the next view in which the engine is ready. */
  pauseLoading(): Promise<void>;
  /** Settles when no row comes into the store that the settings no longer want. */
  drainLoader(): Promise<void>;
  receivedTo(agoMs: number): JournalPosition | undefined;
  isLoadedTo(position: JournalPosition): Promise<boolean>;
  checkpoint(): Promise<void>;
  metrics(): Promise<object[]>;
  recent(websiteId: number): WatchedRequests;
  /** Closes the port here, and settles when all connections are answered and closed. */
  drain(): Promise<void>;
  /** Loads what can be loaded soon, writes down what was counted, and ends the process. */
  finish(): Promise<void>;
};

/** What the first worker does for the others. */
export type FirstAnswers = {
  report(report: WorkerReport): void;
  /** Ends an engine of this generation. A later one doesn't run what the earlier one did. */
  restartEngine(reason: string, generation: number): Promise<void>;
  /** Goes on with a connection, which comes as a handle, and with the bytes that were read from it. */
  connection(bytes: Uint8Array): void;
  /** A retired worker has nothing left. */
  retired(): void;
};
