import type { User } from '../control/accounts/user-row.ts';
import { ControlError } from '../control/database/control-error.ts';
import type { Control } from '../control/open-control.ts';
import { userEntry } from './entries.ts';

/** Ends one of a user's own sessions, on a device that the user no longer has. */
export async function endSession(control: Pick<Control, 'transact'>, user: User, id: string): Promise<void> {
  await control.transact(async ({ sessions }) => {
    if (!(await sessions.endOf(user.id, id)))
      throw new ControlError('not-found', 'This session has already ended.');
    return { result: undefined, entries: [userEntry(user, 'user.session-ended', user)] };
  });
}
