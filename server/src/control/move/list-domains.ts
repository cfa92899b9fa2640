import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { openMigrated } from '../open-control.ts';
import type { ControlPlace } from './peek-control.ts';

/** The domain of each website, for messages. */
export async function listDomains(
  options: ControlPlace & { clock: Clock; log: Log },
): Promise<Map<number, string>> {
  const database = await openMigrated(options);
  try {
    const rows = await database.db.selectFrom('websites').select(['id', 'domain']).execute();
    return new Map(rows.map(({ id, domain }) => [id, domain]));
  } finally {
    await database.close();
  }
}
