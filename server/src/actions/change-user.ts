import type { NewAuditEntry } from '../control/accounts/audit-log.ts';
import { userNotFound } from '../control/accounts/user-not-found.ts';
import type { Role, User } from '../control/accounts/user-row.ts';
import { ControlError } from '../control/database/control-error.ts';
import type { Control } from '../control/open-control.ts';
import { type Actor, nameOf } from './actor.ts';
import { userEntry } from './entries.ts';

export type UserChange = {
  id: number;
  role?: Role | undefined;
  websites?: readonly number[] | undefined;
  /** A new password ends all sessions of the user. */
  password?: string | undefined;
};

/** Changes a user's rights or password, or both in one transaction. */
export async function changeUser(
  control: Pick<Control, 'users' | 'transact'>,
  actor: Actor,
  { id, role, websites, password }: UserChange,
): Promise<User> {
  const before = await control.users.get(id);
  if (before === undefined) throw userNotFound(id);
  const { email } = before;
  if (email === nameOf(actor) && role === 'viewer') {
    const message = "You can't remove your own admin role. Ask another admin to do it.";
    throw new ControlError('invalid', message);
  }
  const hashed = password === undefined ? undefined : await control.users.hash({ email, password });
  return await control.transact(async ({ users }) => {
    const entries: NewAuditEntry[] = [];
    let user = before;
    if (role !== undefined || websites !== undefined) {
      user = await users.update(id, { role, websites });
      const detail = { role: user.role, websites: user.websites };
      entries.push(userEntry(actor, 'user.changed', user, detail));
    }
    if (hashed !== undefined) {
      user = await users.setPassword(id, hashed);
      entries.push(userEntry(actor, 'user.password-changed', user));
    }
    return { result: user, entries };
  });
}
