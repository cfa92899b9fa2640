import type { Goal } from '@trackside/contract/stats/questions.ts';
import { usualView, type View } from '../../view/view.ts';

/** The view without a goal. The chart shows what it usually does. */
export const noGoal: Pick<View, 'goal' | 'metric'> = { goal: undefined, metric: usualView.metric };

/** What a goal is called: by its own name, or by its page or event. */
export const nameOfGoal = ({ name, goal }: { name: string | null; goal: Goal }): string =>
  name ?? targetOf(goal);

export const targetOf = (goal: Goal): string => ('page' in goal ? goal.page : goal.event);

export const isSameGoal = (one: Goal | undefined, other: Goal | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  'page' in one === 'page' in other &&
  targetOf(one) === targetOf(other);
