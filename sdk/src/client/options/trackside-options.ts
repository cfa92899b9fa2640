import type { TrackFault } from '../../faults/track-fault.ts';
import type { DiskKeep } from '../../queue/disk-keep.ts';
import type { WaitUntil } from '../tracker.ts';

export type TracksideOptions = {
  /** The URL of Trackside, to which `/api/page-view` is added. */
  url: string;
  /** The website's key. It is a secret and stays on your server. */
  apiKey: string;
  /**
   * The version of your program, such as a commit: 1 to 64 printable ASCII characters. Trackside tells your
   * releases apart by it. `TRACKSIDE_RELEASE` of the environment by default.
   */
  release?: string;
  /** The timeout of one attempt. 10,000 by default, at most 120,000. */
  timeoutMs?: number;
  /**
   * Retries of `pageView` and `event`. 3 by default, at most 10. Tracked records are retried for `maxAgeMs`.
   */
  retries?: number;
  queue?: {
    /**
     * 10,000 by default. When there is no room, the newest record is refused, because the oldest is sent
     * next.
     */
    maxRecords?: number;
    /** The size of all records in the queue. 64 MiB by default. */
    maxBytes?: number;
    /**
     * 24 hours by default. A record counts at the time when it was tracked, or, if that is more than 24 hours
     * ago, when the server receives it.
     */
    maxAgeMs?: number;
    /** The number of requests at the same time. 4 by default, at most 1,000. */
    concurrency?: number;
    /** `keepOnDisk(folder)` from `@trackside/sdk/disk`: records survive a crash. They hold IP addresses. */
    disk?: DiskKeep;
  };
  /**
   * Called when something goes wrong with tracked records, at most once a minute for the same fault. By
   * default, faults are written to the console.
   */
  onError?: (fault: TrackFault) => void;
  /** Gets a promise for each tracked record, so that a serverless platform waits for its delivery. */
  waitUntil?: WaitUntil;
  fetch?: typeof fetch;
};
