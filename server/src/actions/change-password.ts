import type { SignInRefusal } from '../control/accounts/sign-in.ts';
import type { User } from '../control/accounts/user-row.ts';
import type { Control } from '../control/open-control.ts';
import { userEntry } from './entries.ts';
import type { StartedSession } from './sign-in.ts';

type Passwords = { sessionToken: string; currentPassword: string; newPassword: string; device?: string };

/**
 * Changes a user's own password. Ends all sessions of the user, and starts a new one for the person who just
 * entered the current password.
 */
export async function changePassword(
  control: Pick<Control, 'signIn' | 'users' | 'transact'>,
  user: User,
  { sessionToken, currentPassword, newPassword, device }: Passwords,
): Promise<{ session: StartedSession } | SignInRefusal> {
  const outcome = await control.signIn.confirm({ user, sessionToken, password: currentPassword });
  if ('refused' in outcome) return outcome;
  const hashed = await control.users.hash({ email: user.email, password: newPassword });
  return await control.transact<{ session: StartedSession } | SignInRefusal>(async ({ users, sessions }) => {
    // Someone may have set another password meanwhile, to get rid of whoever knows this one.
    if (!(await users.hasPassword(outcome))) return { result: { refused: 'wrong' as const }, entries: [] };
    await users.setPassword(user.id, hashed);
    const session = await sessions.start(user.id, device);
    return { result: { session }, entries: [userEntry(user, 'user.password-changed', user)] };
  });
}
