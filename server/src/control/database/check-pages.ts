import { stat } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { damaged, SystemFaultError } from '../../files/system-fault.ts';
import type { Tables } from './tables.ts';

/** SQLite checks about 400 MB in a second, so a quick check delays a start by less than that. */
const maxQuickBytes = 256_000_000;

/** Finds damage that would otherwise stay unknown until a statement needs the page, maybe months later. */
export async function checkPages(
  db: Kysely<Tables>,
  path: string,
  { isQuick }: { isQuick: boolean },
): Promise<void> {
  if (isQuick && (await stat(path)).size > maxQuickBytes) return;
  const check = isQuick ? sql`pragma quick_check(1)` : sql`pragma integrity_check(1)`;
  const { rows } = await check.execute(db);
  const [says] = Object.values(rows[0] ?? {});
  if (says !== 'ok') throw new SystemFaultError(damaged(`the control database ${path}`));
}
