import { createFetchExchange } from './exchange-by-fetch.ts';
import { TracksideClient } from './trackside-client.ts';
import type { TracksideOptions } from './trackside-options.ts';

export type { DiskKeep } from '../queue/disk-keep.ts';
export type { ContinentCode, EventParameters, Location, Metrics } from './metrics.ts';
export type { Contingent, Result } from './result.ts';
export type { TrackFault, TrackFaultKind } from './track-fault.ts';
export type { Tracker, WaitUntil } from './tracker.ts';
export type { Counts } from './trackside-client.ts';
export type { TracksideOptions } from './trackside-options.ts';

/** The client where there is fetch: on edge runtimes, Bun and Deno. On Node, `trackside-on-node.ts` takes its place. */
export class Trackside extends TracksideClient {
  constructor(options: TracksideOptions) {
    // Called as a plain function, as some runtimes demand, and looked up late, for those that replace it.
    super(
      options,
      createFetchExchange((...request) => globalThis.fetch(...request)),
    );
  }
}
