import type { Log } from '../../log.ts';
import { SecretKeyError } from './control-error.ts';
import type { Database } from './database.ts';
import { fitsKeyCheck, readKeyCheck, sealKeyCheck } from './key-check.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';
import { createSecretKey, findNextKeyFile, readSecretKey, replaceSecretKey } from './secret-key-file.ts';

type Options = { database: Database; secretKeyFile: string; log: Log };

/**
 * Opens what the control database holds encrypted. A new database gets a new key. If a rotation of the key was
 * interrupted after the database had changed, the new key file takes its place now.
 */
export async function openSecretBox(options: Options): Promise<SecretBox> {
  const { database, secretKeyFile, log } = options;
  let key = await readSecretKey(secretKeyFile);
  if (key === undefined) {
    const isTaken = database.kind === 'postgres' && (await readKeyCheck(database.db)) !== null;
    if (isTaken || (await hasWebsites(database))) {
      throw new SecretKeyError(
        `The secret key file ${secretKeyFile} is missing, and the API keys in the control database ` +
          'cannot be decrypted without it. Restore the file from your copy, ' +
          'or point TRACKSIDE_SECRET_KEY_FILE to it.',
      );
    }
    key = await createSecretKey(secretKeyFile);
    log.info(
      { file: secretKeyFile },
      'secret key created: keep a copy of this file, separate from the backups',
    );
  }
  return await checkKey(options, createSecretBox(key));
}

/** Without this, a wrong key would be noticed only when the first website is read. */
async function checkKey(options: Options, box: SecretBox): Promise<SecretBox> {
  const { database, secretKeyFile } = options;
  const keyCheck = await readKeyCheck(database.db);
  if (keyCheck !== null && fitsKeyCheck(box, keyCheck)) return box;
  // A new SQLite file has no other user. Other nodes may have a PostgreSQL database open with their key.
  if (keyCheck !== null && (database.kind === 'postgres' || (await hasWebsites(database)))) {
    const rotated = await finishRotation(options, keyCheck);
    if (rotated !== undefined) return rotated;
    throw new SecretKeyError(
      `The secret key in ${secretKeyFile} is not the one of the control database. ` +
        'If it was rotated on another server, copy the new key file from there. ' +
        'Otherwise, restore the right file, or point TRACKSIDE_SECRET_KEY_FILE to it.',
    );
  }
  const { numUpdatedRows } = await database.db
    .updateTable('control_state')
    .set({ key_check: sealKeyCheck(box) })
    .where('key_check', 'is not distinct from', keyCheck)
    .executeTakeFirstOrThrow();
  // Another process was first. Its key must be the same.
  return numUpdatedRows === 0n ? await checkKey(options, box) : box;
}

async function finishRotation(
  { secretKeyFile, log }: Options,
  keyCheck: Uint8Array,
): Promise<SecretBox | undefined> {
  const nextFile = await findNextKeyFile(secretKeyFile);
  const next = await readSecretKey(nextFile);
  if (next !== undefined) {
    const box = createSecretBox(next);
    if (!fitsKeyCheck(box, keyCheck)) return undefined;
    await replaceSecretKey(secretKeyFile);
    log.info({ file: secretKeyFile }, 'secret key replaced by the one of an interrupted rotation');
    return box;
  }
  // Another process may have put it in place since this one has read the file.
  const key = await readSecretKey(secretKeyFile);
  const box = key && createSecretBox(key);
  return box !== undefined && fitsKeyCheck(box, keyCheck) ? box : undefined;
}

async function hasWebsites({ db }: Database): Promise<boolean> {
  return (await db.selectFrom('websites').select('id').limit(1).executeTakeFirst()) !== undefined;
}
