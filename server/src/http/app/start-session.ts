import type { User } from '../../control/accounts/users.ts';
import type { Control } from '../../control/open-control.ts';
import type { AppAnswer } from './app-route.ts';
import type { SessionAnswer } from './shapes.ts';

/** Always a new session: what a browser had before is no good afterwards. */
export async function startSession(
  control: Pick<Control, 'sessions' | 'signIn'>,
  user: User,
  { code = 200, deviceProof }: { code?: number; deviceProof: string | undefined },
): Promise<AppAnswer> {
  const session = await control.sessions.start(user.id);
  return {
    ...{ code, session, body: toSessionAnswer(user, session.expiresAt) },
    deviceProof: await control.signIn.proveDevice(user, deviceProof),
  };
}

export function toSessionAnswer({ id, email, role }: User, expiresAt: number): SessionAnswer {
  return { user: { id, email, role }, expiresAt: new Date(expiresAt).toISOString() };
}
