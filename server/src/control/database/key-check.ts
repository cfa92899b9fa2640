import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { ControlOpenError } from './control-error.ts';
import type { SecretBox } from './secret-box.ts';
import type { Tables } from './tables.ts';

const context = 'control_state.key_check';
/** What `seal` makes of nothing. What is behind it is the installation, once the key was rotated. */
const sealedBytes = 29;

/** What a control database keeps to recognize its secret key. */
export const sealKeyCheck = (box: SecretBox): Uint8Array => box.seal(Buffer.alloc(0), context);

/** The same for another key of the same installation. */
export function resealKeyCheck(box: SecretBox, before: Uint8Array): Uint8Array {
  return Buffer.concat([sealKeyCheck(box), Buffer.from(toInstallation(before), 'hex')]);
}

/** Whether what is in the database is encrypted with this key. */
export function fitsKeyCheck(box: SecretBox, keyCheck: Uint8Array): boolean {
  try {
    box.open(keyCheck.subarray(0, sealedBytes), context);
    return true;
  } catch {
    return false;
  }
}

/**
 * Identifies the database. The first check of a key is encrypted with a random nonce, so no two databases have
 * the same one, except for copies.
 */
export function toInstallation(keyCheck: Uint8Array | null): string {
  if (keyCheck !== null && keyCheck.length > sealedBytes)
    return Buffer.from(keyCheck.subarray(sealedBytes)).toString('hex');
  return createHash('sha256')
    .update(keyCheck ?? '')
    .digest('hex')
    .slice(0, 32);
}

export async function readKeyCheck(db: Kysely<Tables>): Promise<Uint8Array | null> {
  const row = await db.selectFrom('control_state').select('key_check').executeTakeFirstOrThrow();
  return row.key_check;
}

/**
 * Ends a transaction of a process that has an older key in memory: what it encrypts, nobody could open. It can
 * happen to a server that was cut off while the key was rotated.
 */
export async function refuseOldKey(trx: Kysely<Tables>, box: SecretBox): Promise<void> {
  const keyCheck = await readKeyCheck(trx);
  if (keyCheck !== null && fitsKeyCheck(box, keyCheck)) return;
  throw new ControlOpenError(
    'The secret key was rotated after this process had started. ' +
      'Put the new key file in place, then start the server again.',
  );
}
