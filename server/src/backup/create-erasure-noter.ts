import type { Control } from '../control/open-control.ts';
import type { WrittenErasure } from '../control/privacy/erasures.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { noteErasure } from './erasure-notes.ts';
import { openPlace } from './open-place.ts';
import { assertOwnPlace } from './place-mark.ts';
import type { S3Access } from './s3-place.ts';

/** A place that fails, such as a disk that isn't mounted, is tried again after this time. */
const restMs = 60_000;

/**
 * Notes erasures in all places where backups are kept. Returns whether all of them have it; if not, it has to
 * be noted again later.
 */
export function createErasureNoter(options: {
  control: Pick<Control, 'backupPlaces' | 'installation'>;
  s3: S3Access;
  clock: Clock;
  log: Log;
}): (erasure: WrittenErasure) => Promise<boolean> {
  const { control, s3, clock, log } = options;
  const noted = new Set<string>();
  const failedAtMs = new Map<string, number>();

  async function noteAt(place: string, erasure: WrittenErasure): Promise<boolean> {
    const { websiteId, visitorId, receivedBefore, visits } = erasure;
    const key = `${place} ${websiteId} ${visitorId} ${receivedBefore} ${visits.length}`;
    if (noted.has(key)) return true;
    const failedAt = failedAtMs.get(place);
    if (failedAt !== undefined && clock.monotonicMs() - failedAt < restMs) return false;
    try {
      const opened = openPlace(place, s3);
      await assertOwnPlace(opened, await control.installation());
      await noteErasure(opened, erasure);
      noted.add(key);
      failedAtMs.delete(place);
      return true;
    } catch (error) {
      if (failedAt === undefined)
        log.warn(
          { err: error, place },
          'an erasure is not noted where the backups are: trying again every minute. ' +
            'If that place is gone for good, run trackside backup PLACE --forget',
        );
      failedAtMs.set(place, clock.monotonicMs());
      return false;
    }
  }

  return async (erasure) => {
    try {
      const places = await control.backupPlaces.list();
      const done = await Promise.all(places.map(({ place }) => noteAt(place, erasure)));
      return done.every((isNoted) => isNoted);
    } catch (error) {
      log.warn({ err: error }, 'an erasure is not noted where the backups are');
      return false;
    }
  };
}
