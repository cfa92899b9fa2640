import type { TrackRecord } from '../record/record.ts';
import type { Clock } from '../time/clock.ts';
import type { KeptRecord } from './disk-keep.ts';
import type { QueuedRecord } from './queued-record.ts';

/** How far a clock may have been set back before its earlier times are no longer trusted. */
const believableMs = 5 * 60_000;

export function makeQueued(
  record: TrackRecord,
  clock: Clock,
  onSettled: (() => void) | undefined,
): QueuedRecord {
  const { key, path, body } = record;
  const trackedMs = clock.monotonicMs();
  const fresh = { order: 0, uncertainSince: undefined, attempts: 0, failures: 0, refusals: 0 };
  return { key, path, body, trackedMs, onSettled, ...fresh };
}

/** Queues a record that an earlier process has left, with its times converted to this process's clock. */
export function makeQueuedAgain(kept: KeptRecord, clock: Clock): QueuedRecord {
  const queued = makeQueued(kept, clock, undefined);
  // Whatever the file says, the earlier process may have sent it.
  queued.attempts = 1;
  const { trackedAt, triedAt } = kept;
  queued.trackedMs -= Math.max(0, clock.now() - trackedAt);
  if (triedAt === undefined) return queued;
  const agoMs = clock.now() - triedAt;
  // An attempt in the future may have been any time ago, so it counts as too long ago.
  const believedMs = agoMs < -believableMs ? Number.POSITIVE_INFINITY : agoMs;
  queued.uncertainSince = { now: triedAt, monotonicMs: clock.monotonicMs() - believedMs };
  return queued;
}
