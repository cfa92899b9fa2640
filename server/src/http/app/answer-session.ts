import type { SessionAnswer, SessionItem } from '@trackside/contract/app/answers.ts';
import type { ListedSession } from '../../control/accounts/sessions.ts';
import type { User } from '../../control/accounts/user-row.ts';
import type { Control } from '../../control/open-control.ts';
import type { AppAnswer } from './app-route.ts';

/**
 * Answers with a session that has just begun. The browser gets its cookie, and is recognized at its next
 * sign-in.
 */
export async function answerSession(
  control: Pick<Control, 'signIn'>,
  { user, session }: { user: User; session: { token: string; expiresAt: number } },
  { code = 200, deviceProof }: { code?: number; deviceProof: string | undefined },
): Promise<AppAnswer> {
  return {
    code,
    session,
    body: toSessionAnswer(user, session.expiresAt),
    deviceProof: await control.signIn.proveDevice(user, deviceProof),
  };
}

export const toListedSession = ({
  createdAt,
  lastUsedAt,
  device,
  ...session
}: ListedSession): SessionItem => ({
  ...session,
  device: device === '' ? null : device,
  createdAt: new Date(createdAt).toISOString(),
  lastUsedAt: new Date(lastUsedAt).toISOString(),
});

export function toSessionAnswer({ id, email, role, language }: User, expiresAt: number): SessionAnswer {
  return { user: { id, email, role, language }, expiresAt: new Date(expiresAt).toISOString() };
}
