import type { Control } from '../control/open-control.ts';
import type { SavedGoal } from '../control/websites/goals.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { goalEntry } from './entries.ts';

/** Removes a goal and returns it. Returns undefined if the website has no such goal. */
export async function removeGoal(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, id }: { website: Pick<Website, 'id' | 'domain'>; id: number },
): Promise<SavedGoal | undefined> {
  return await control.transact(async ({ goals }) => {
    const removed = await goals.remove(website.id, id);
    if (removed === undefined) return { result: undefined, entries: [] };
    return { result: removed, entries: [goalEntry(actor, 'goal.removed', website, removed)] };
  });
}
