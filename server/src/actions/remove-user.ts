import { userNotFound } from '../control/accounts/user-not-found.ts';
import type { User } from '../control/accounts/user-row.ts';
import { ControlError } from '../control/database/control-error.ts';
import type { Control } from '../control/open-control.ts';
import { type Actor, nameOf } from './actor.ts';
import { userEntry } from './entries.ts';

/** Removes a user and signs the user out everywhere. */
export async function removeUser(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  id: number,
): Promise<User> {
  return await control.transact(async ({ users }) => {
    const user = await users.get(id);
    if (user === undefined) throw userNotFound(id);
    if (user.email === nameOf(actor))
      throw new ControlError('invalid', "You can't remove yourself. Ask another admin to do it.");
    await users.remove(id);
    return { result: user, entries: [userEntry(actor, 'user.removed', user)] };
  });
}
