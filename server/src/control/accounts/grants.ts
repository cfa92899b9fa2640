import type { Kysely } from 'kysely';
import { ControlError } from '../database/control-error.ts';
import type { Tables } from '../database/tables.ts';

/** Lets a viewer see these websites, and no others. */
export async function replaceGrants(
  trx: Kysely<Tables>,
  userId: number,
  websiteIds: readonly number[],
): Promise<void> {
  await trx.deleteFrom('grants').where('user_id', '=', userId).execute();
  if (websiteIds.length === 0) return;
  const known = new Set((await trx.selectFrom('websites').select('id').execute()).map(({ id }) => id));
  const granted = [...new Set(websiteIds)];
  const unknown = granted.find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw new ControlError(
      'invalid',
      `Websites: expected ids of websites, got ${unknown}, which does not exist. ` +
        'To see all ids, run: trackside website list',
      'websites',
    );
  }
  const rows = granted.map((websiteId) => ({ user_id: userId, website_id: websiteId }));
  await trx.insertInto('grants').values(rows).execute();
}

export async function grantedTo(db: Kysely<Tables>, userId: number): Promise<Set<number>> {
  const rows = await db.selectFrom('grants').select('website_id').where('user_id', '=', userId).execute();
  return new Set(rows.map(({ website_id }) => website_id));
}
