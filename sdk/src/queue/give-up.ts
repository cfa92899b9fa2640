import type { TrackFault } from '../faults/track-fault.ts';
import type { Clock } from '../time/clock.ts';
import type { QueuedRecord } from './queued-record.ts';

export type GivenUp = 'too-old' | 'unknown-outcome';

/** The server remembers a key for an hour. A repeat after that would count twice. */
const safeToRepeatMs = 55 * 60_000;

const messages: Record<GivenUp, string> = {
  'too-old': 'Expected Trackside to accept the record within queue.maxAgeMs, got no acceptance in that time.',
  'unknown-outcome':
    'Expected Trackside to confirm the record within 55 minutes, got no confirmation: it may or may not have ' +
    'been counted. It is not sent again, because the server would no longer recognize it.',
};

/** Returns the reason why a record must not be sent anymore, if there is one. */
export function reasonToGiveUp(record: QueuedRecord, maxAgeMs: number, clock: Clock): GivenUp | undefined {
  const { uncertainSince, trackedMs } = record;
  const monotonicMs = clock.monotonicMs();
  const isTooOld = monotonicMs - trackedMs > maxAgeMs;
  if (uncertainSince === undefined) return isTooOld ? 'too-old' : undefined;
  // The larger of the two, because one clock stops while the machine sleeps, and the other can be set back.
  const uncertainMs = Math.max(monotonicMs - uncertainSince.monotonicMs, clock.now() - uncertainSince.now);
  return isTooOld || uncertainMs > safeToRepeatMs ? 'unknown-outcome' : undefined;
}

export function giveUpFault(reason: GivenUp): TrackFault {
  return { kind: reason, message: messages[reason], records: 1 };
}
