import type { TrackRecord } from '../record/record.ts';
import { noteHandOver } from '../sending/occurred-at.ts';
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
  const { key, path, body, sequence } = record;
  const unsent = { uncertainSince: undefined, occurredAt: undefined, isTimeRefused: false };
  const counts = { order: 0, attempts: 0, failures: 0, refusals: 0 };
  return { key, path, body, sequence, ...noteHandOver(clock), ...unsent, ...counts, onSettled };
}

/** Queues a record that an earlier process has left, with its times converted to this process's clock. */
export function makeQueuedAgain(kept: KeptRecord, clock: Clock): QueuedRecord {
  const queued = makeQueued(kept, clock, undefined);
  // Whatever the file says, the earlier process may have sent it.
  queued.attempts = 1;
  const { trackedAt, tried } = kept;
  queued.trackedMs -= Math.max(0, clock.now() - trackedAt);
  queued.trackedAt = trackedAt;
  if (tried === undefined) return queued;
  const agoMs = clock.now() - tried.at;
  // An attempt in the future may have been any time ago, so it counts as too long ago.
  const believedMs = agoMs < -believableMs ? Number.POSITIVE_INFINITY : agoMs;
  queued.uncertainSince = { now: tried.at, monotonicMs: clock.monotonicMs() - believedMs };
  queued.occurredAt = tried.occurredAt;
  return queued;
}
