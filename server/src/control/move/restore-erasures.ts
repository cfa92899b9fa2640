import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { openMigrated } from '../open-control.ts';
import { type BackupPlaces, createBackupPlaces, type KnownPlace } from '../privacy/backup-places.ts';
import type { WrittenErasure } from '../privacy/erasures.ts';
import type { ControlPlace } from './peek-control.ts';

/**
 * Writes erasures into a database that was restored, so that its server carries them out. Returns how many of
 * them it didn't know. Those of websites that were deleted are left out. Those of websites that were added after the
 * backup stay, because their records may still be in a journal. Without a place, the database forgets all places,
 * so that its server notes erasures nowhere.
 */
export async function restoreErasures(
  options: ControlPlace & { clock: Clock; log: Log; place: KnownPlace | undefined },
  erasures: readonly WrittenErasure[],
): Promise<number> {
  const database = await openMigrated(options);
  const { db } = database;
  try {
    const websites = new Set((await db.selectFrom('websites').select('id').execute()).map(({ id }) => id));
    const { last_website_id: lastId } = await db
      .selectFrom('control_state')
      .select('last_website_id')
      .executeTakeFirstOrThrow();
    const isDeleted = (id: number) => id <= lastId && !websites.has(id);
    const known = await db.selectFrom('erasures').selectAll().execute();
    let added = 0;
    await db.transaction().execute(async (trx) => {
      for (const { websiteId, visitorId, receivedBefore, visits } of erasures) {
        if (isDeleted(websiteId)) continue;
        const before = known.find((row) => row.website_id === websiteId && row.visitor_id === visitorId);
        if ((before?.received_before ?? 0) < receivedBefore) added += 1;
        const person = { website_id: websiteId, visitor_id: visitorId };
        const until = Math.max(receivedBefore, before?.received_before ?? 0);
        // The visits of the person are found again, as far as the records are there again. Those of a website
        // that isn't there can't be.
        const applied = websites.has(websiteId) ? null : until;
        const state = { received_before: until, applied_before: applied, finished_at: null, records: null };
        await trx
          .insertInto('erasures')
          .values({ ...person, ...state })
          .onConflict((conflict) => conflict.columns(['website_id', 'visitor_id']).doUpdateSet(state))
          .execute();
        for (const { deviceId, receivedFrom, receivedUntil } of visits)
          await trx
            .insertInto('erased_visits')
            .values({
              ...person,
              device_id: deviceId,
              received_from: receivedFrom,
              received_until: receivedUntil,
            })
            .onConflict((conflict) =>
              conflict
                .columns(['website_id', 'visitor_id', 'device_id', 'received_from'])
                .doUpdateSet({ received_until: receivedUntil }),
            )
            .execute();
      }
    });
    await restorePlaces(createBackupPlaces(database), options.place);
    return added;
  } finally {
    await database.close();
  }
}

async function restorePlaces(places: BackupPlaces, known: KnownPlace | undefined): Promise<void> {
  if (known === undefined) {
    for (const { place } of await places.list()) await places.forget(place);
    return;
  }
  const { place, startedAt, finishedAt, records, bytes } = known;
  await places.begin(place, startedAt);
  if (finishedAt !== null)
    await places.finish(place, { finishedAt, records: records ?? 0, bytes: bytes ?? 0 });
}
