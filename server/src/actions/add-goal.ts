import type { Control } from '../control/open-control.ts';
import type { SavedGoal } from '../control/websites/goals.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { goalEntry } from './entries.ts';

/** Marks a page or an event as a goal of the website. */
export async function addGoal(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, goal }: { website: Pick<Website, 'id' | 'domain'>; goal: Omit<SavedGoal, 'id'> },
): Promise<SavedGoal> {
  return await control.transact(async ({ goals }) => {
    const added = await goals.add(website.id, goal);
    return { result: added, entries: [goalEntry(actor, 'goal.added', website, added)] };
  });
}
