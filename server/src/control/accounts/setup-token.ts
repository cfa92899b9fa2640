import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { ControlError } from '../database/control-error.ts';
import type { Tables } from '../database/tables.ts';
import { hashApiKey } from '../websites/hash-api-key.ts';

/**
 * Creates the token of the setup link. Anyone who has it can create the first user. Only its hash is stored.
 */
export async function makeSetupToken(db: Kysely<Tables>): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .updateTable('control_state')
    .set({ setup_token_hash: hashApiKey(token) })
    .execute();
  return token;
}

export async function hasSetupToken(db: Kysely<Tables>, token: string): Promise<boolean> {
  const row = await db
    .selectFrom('control_state')
    .select('id')
    .where('setup_token_hash', '=', hashApiKey(token))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('users').select('id'))))
    .executeTakeFirst();
  return row !== undefined;
}

/** The message is the same for a link that was never valid, so that nobody learns which of the two it was. */
export function setupLinkRefused(): ControlError {
  return new ControlError(
    'not-allowed',
    'Setup link: expected the newest link of a server without users, got an invalid or used one. ' +
      'Sign in, or restart the server: as long as there are no users, it prints a new link.',
  );
}
