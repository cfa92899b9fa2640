import type { S3Access } from '../backup/s3-place.ts';
import type { Control } from '../control/open-control.ts';
import type { dataFolder } from '../files/data-folder.ts';
import type { Log } from '../log.ts';
import type { OutsideStore } from '../store/store-address.ts';
import type { Clock } from '../time/clock.ts';
import type { EnginePriority } from './engine-priority.ts';
import type { WorkerStart } from './workers/worker-protocol.ts';

/** What a node is started with. */
export type NodeOptions = {
  host: string;
  port: number;
  folder: ReturnType<typeof dataFolder>;
  metricsToken: string | undefined;
  trustedProxies: number;
  /** Where the built web application is. */
  pagesFolder: string;
  journalMaxBytes: number;
  journalRetentionMs: number;
  /** How many hours later than it happened a record may come. */
  lateHours: number;
  minFreeBytes: number;
  /** Where other nodes reach this one. Undefined if that follows from `host`. */
  nodeAddress: { host: string; port: number } | undefined;
  /** What a 200 means: the record is on this node's disk, or it is in the store. */
  ack: 'disk' | 'store';
  engineMaxMemoryBytes: number;
  enginePriority?: EnginePriority;
  /** How to reach the buckets that backups are kept in. */
  s3: S3Access;
  /** The store that others run. Undefined if the node runs its own engine. */
  outsideStore: OutsideStore | undefined;
  /** How many processes take records. */
  workers: number;
  /** What other processes need in order to open control and their log. */
  ofWorkers: Pick<WorkerStart, 'databaseUrl' | 'secretKeyFile' | 'logLevel' | 'isTerminal'>;
  control: Control;
  clock: Clock;
  log: Log;
  /** Called when everything but the port is ready: whatever has held the port until now releases it. */
  beforeListen: () => Promise<void>;
  /** The journal, or what is known of it, can no longer be trusted to keep records: the process must end. */
  onBroken: (error: Error) => void;
};

/** How long a clock must have run correctly before records are deleted because of their age. */
export const clockSettleMs = 10 * 60_000;
/** How long answers wait for the store while the server stops. They leave before the connections are closed. */
export const storeWaitMs = 2000;
/** How often the highest ID of a website is compared with the one in the data folder. */
export const lastWebsiteMs = 10_000;
