import type { SignIn, SignInRefusal } from '../control/accounts/sign-in.ts';
import type { User } from '../control/accounts/user-row.ts';
import type { Control } from '../control/open-control.ts';
import { userEntry } from './entries.ts';

export type StartedSession = { token: string; expiresAt: number };

type Attempt = Parameters<SignIn['attempt']>[0] & {
  /** The token of the browser's previous session, which ends. Empty if there is none. */
  sessionToken: string;
  /** What the browser is, for the list of sessions. */
  device?: string;
};

/**
 * Signs in a user with the right password. Always starts a new session, so that a token that the browser had
 * before is useless afterwards.
 */
export async function signIn(
  control: Pick<Control, 'signIn' | 'transact'>,
  { sessionToken, device, ...attempt }: Attempt,
): Promise<{ user: User; session: StartedSession } | SignInRefusal> {
  const outcome = await control.signIn.attempt(attempt);
  if ('refused' in outcome) return outcome;
  const { user } = outcome;
  return await control.transact<{ user: User; session: StartedSession } | SignInRefusal>(
    async ({ users, sessions }) => {
      if (!(await users.hasPassword(outcome))) return { result: { refused: 'wrong' as const }, entries: [] };
      if (sessionToken !== '') await sessions.end(sessionToken);
      const session = await sessions.start(user.id, device);
      return { result: { user, session }, entries: [userEntry(user, 'user.signed-in', user)] };
    },
  );
}
