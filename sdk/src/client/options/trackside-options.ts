import type { TrackFault } from '../../faults/track-fault.ts';
import type { DiskKeep } from '../../queue/disk-keep.ts';
import type { WaitUntil } from '../tracker.ts';

export type TracksideOptions = {
  /** The address of Trackside, to which `/api/page-view` is added. */
  url: string;
  /** The website's key. It is a secret: it stays on your server. */
  apiKey: string;
  /** Of one attempt: 10,000 by default, at most 120,000. */
  timeoutMs?: number;
  /**
   * Of `pageView` and `event`: 3 by default, at most 10. What is tracked is tried for as long as `maxAgeMs`.
   */
  retries?: number;
  queue?: {
    /**
     * 10,000 by default. When there is no room, the newest record is refused: the oldest is next to be sent.
     */
    maxRecords?: number;
    /** Of all records in the queue: 64 MiB by default. */
    maxBytes?: number;
    /** 24 hours by default. A record counts at the time at which the server gets it. */
    maxAgeMs?: number;
    /** Requests at the same time: 4 by default, at most 1,000. */
    concurrency?: number;
    /** `keepOnDisk(folder)` from `@trackside/sdk/disk`: records survive a crash. They hold IP addresses. */
    disk?: DiskKeep;
  };
  /**
   * Told what went wrong with tracked records, of the same fault once a minute. Without, it goes to the
   * console.
   */
  onError?: (fault: TrackFault) => void;
  /** Gets a promise for each tracked record, so that a serverless platform waits for its delivery. */
  waitUntil?: WaitUntil;
  fetch?: typeof fetch;
};
