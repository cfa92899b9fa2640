import { setupLinkRefused } from '../control/accounts/setup-token.ts';
import type { User } from '../control/accounts/user-row.ts';
import type { Control } from '../control/open-control.ts';
import { addedEntry } from './add-user.ts';
import type { StartedSession } from './sign-in.ts';

/** Adds the first user, an admin, for the person with the setup link, and signs that user in. */
export async function setUp(
  control: Pick<Control, 'users' | 'transact'>,
  { token, email, password, device }: { token: string; email: string; password: string; device?: string },
): Promise<{ user: User; session: StartedSession }> {
  // Checked here as well as in the transaction, so that nobody without the link can make the server hash
  // passwords.
  if (!(await control.users.hasSetupToken(token))) throw setupLinkRefused();
  const hashed = await control.users.hash({ email, password });
  return await control.transact(async ({ users, sessions }) => {
    const user = await users.addFirst({ token, email, password: hashed });
    const session = await sessions.start(user.id, device);
    return { result: { user, session }, entries: [addedEntry(user, user)] };
  });
}
