import type { User } from '../control/accounts/user-row.ts';
import type { Control } from '../control/open-control.ts';
import { userEntry } from './entries.ts';

/** Ends all sessions of a user at the user's own request. */
export async function signOutEverywhere(control: Pick<Control, 'transact'>, user: User): Promise<void> {
  await control.transact(async ({ sessions }) => ({
    result: await sessions.endAll(user.id),
    entries: [userEntry(user, 'user.signed-out-everywhere', user)],
  }));
}
