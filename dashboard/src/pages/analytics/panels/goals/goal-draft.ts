import { maxNameLength } from '@trackside/contract/app/limits.ts';
import type { Goal } from '@trackside/contract/stats/questions.ts';
import type { Errors } from '#forms/use-form.ts';
import type { GoalsWords } from './goals-words.ts';

/** A goal as it is being typed. */
export type GoalDraft = { goal: 'page' | 'event'; page: string; event: string; name: string };

export const emptyGoal: GoalDraft = { goal: 'page', page: '', event: '', name: '' };

export const toGoalDraft = ({ name, goal }: { name: string | null; goal: Goal }): GoalDraft => ({
  ...emptyGoal,
  name: name ?? '',
  goal: 'page' in goal ? 'page' : 'event',
  ...goal,
});

export const toGoal = ({ goal, page, event }: GoalDraft): Goal =>
  goal === 'page' ? { page: page.trim() } : { event };

export function checkGoal(draft: GoalDraft, words: GoalsWords['adding']): Errors {
  const { goal, page, event, name } = draft;
  return {
    ...(goal === 'page' && !page.trim().startsWith('/') && { page: words.pathMissing }),
    ...(goal === 'event' && event.trim() === '' && { event: words.eventMissing }),
    ...([...name.trim()].length > maxNameLength && { name: words.nameLong(maxNameLength) }),
  };
}
