import type { Role, User } from '../control/accounts/user-row.ts';
import type { Control } from '../control/open-control.ts';
import type { Actor } from './actor.ts';
import { userEntry } from './entries.ts';

export type NewUser = {
  email: string;
  password: string;
  role: Role;
  /** The websites that a viewer may see. */
  websites: readonly number[];
};

/** Adds a user who can sign in. */
export async function addUser(
  control: Pick<Control, 'users' | 'transact'>,
  actor: Actor,
  { email, password, role, websites }: NewUser,
): Promise<User> {
  const hashed = await control.users.hash({ email, password });
  return await control.transact(async ({ users }) => {
    const user = await users.add({ email, password: hashed, role, websites });
    return { result: user, entries: [addedEntry(actor, user)] };
  });
}

/** Returns the entry for an added user, which is the same for every way of adding one. */
export const addedEntry = (actor: Actor, user: User) =>
  userEntry(actor, 'user.added', user, { role: user.role, websites: user.websites });
