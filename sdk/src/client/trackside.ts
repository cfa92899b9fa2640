import { createFetchExchange } from '../sending/exchange-by-fetch.ts';
import type { TracksideOptions } from './options/trackside-options.ts';
import { TracksideClient } from './trackside-client.ts';

export type { Contingent, Result } from '../faults/result.ts';
export type { TrackFault, TrackFaultKind } from '../faults/track-fault.ts';
export type { DiskKeep } from '../queue/disk-keep.ts';
export type { ContinentCode, EventParameters, Location, Metrics } from '../record/metrics.ts';
export type { CheckResult, Understood } from '../sending/send-dry-run.ts';
export type { TracksideOptions } from './options/trackside-options.ts';
export type { Tracker, WaitUntil } from './tracker.ts';
export type { Counts } from './trackside-client.ts';

/**
 * The client for runtimes with fetch: edge runtimes, Bun and Deno. On Node, `trackside-on-node.ts` takes its
 * place.
 */
export class Trackside extends TracksideClient {
  /** A function is called for the options when they are first needed. */
  constructor(options: TracksideOptions | (() => TracksideOptions)) {
    // Called as a plain function, as some runtimes require, and looked up late, for programs that replace it.
    super(
      options,
      createFetchExchange((...request) => globalThis.fetch(...request)),
    );
  }
}
