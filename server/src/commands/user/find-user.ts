import type { User } from '../../control/accounts/user-row.ts';
import { ControlError } from '../../control/database/control-error.ts';
import type { Control } from '../../control/open-control.ts';

/** Finds a user by email address or id. */
export async function findUser(control: Control, idOrEmail: string): Promise<User> {
  const user = await control.users.find(idOrEmail);
  if (user !== undefined) return user;
  throw new ControlError(
    'not-found',
    `Expected the email address or id of a user, got "${idOrEmail}". ` +
      'To see all users, run: trackside user list',
  );
}
