import type { Control } from '../control/open-control.ts';

/** Ends one session. */
export async function signOut(control: Pick<Control, 'sessions'>, sessionToken: string): Promise<void> {
  await control.sessions.end(sessionToken);
}
