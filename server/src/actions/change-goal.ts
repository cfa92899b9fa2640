import type { Control } from '../control/open-control.ts';
import type { GoalChanges, SavedGoal } from '../control/websites/goals.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { goalEntry } from './entries.ts';

/** Changes the name, the page or the event of a goal. Returns undefined if the website has no such goal. */
export async function changeGoal(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  about: { website: Pick<Website, 'id' | 'domain'>; id: number; changes: GoalChanges },
): Promise<SavedGoal | undefined> {
  const { website, id, changes } = about;
  return await control.transact(async ({ goals }) => {
    const goal = await goals.change(website.id, id, changes);
    if (goal === undefined) return { result: undefined, entries: [] };
    return { result: goal, entries: [goalEntry(actor, 'goal.changed', website, goal)] };
  });
}
