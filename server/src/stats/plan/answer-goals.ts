import { listIntervals } from '@trackside/contract/calendar/intervals.ts';
import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import { goalIntervalSchema, goalsQuestionSchema } from '@trackside/contract/stats/questions.ts';
import type { SavedGoal } from '../../control/websites/goals.ts';
import { readGoal } from '../question/goal.ts';
import type { QuestionContext } from '../question/read-period.ts';
import { type AskedQuestion, type Question, readQuestion } from '../question/read-question.ts';
import { createReader, readObject } from '../question/read-value.ts';
import { askGoals, type GoalCounts, type GoalInterval } from '../reports/ask-goals.ts';
import type { Screen } from './plan-screen.ts';

export type GoalsResult = Omit<WithoutAbout<Answers['goals']>, 'visitorsAre'>;
export type GoalsInput = AskedQuestion & { interval: GoalInterval | undefined };

type Numbers = { visitors: number; counts: GoalCounts };

const readInterval = createReader(goalIntervalSchema);

/** Reads a question about the goals as one about all visitors, of whom their rates are shares. */
export function readGoals(body: unknown, context: QuestionContext): GoalsInput {
  const { interval, ...asked } = readObject('Question', body, goalsQuestionSchema);
  const read = interval === undefined ? undefined : readInterval('interval', interval);
  // The limits of a series hold here too.
  if (read !== undefined) readQuestion({ ...asked, compare: undefined, interval: read }, context);
  return { ...readQuestion({ ...asked, metrics: ['visitors'] }, context), interval: read };
}

/** Counts the conversions of all goals of a website, and compares them. */
export async function answerGoals(
  screen: Screen,
  { question, comparison, before, interval }: GoalsInput,
  goals: readonly SavedGoal[],
  context: QuestionContext,
): Promise<GoalsResult> {
  const targets = goals.map(({ goal }) => readGoal('goal', goal, context));
  const count = async (of: Question, each?: GoalInterval): Promise<Numbers> => {
    const [{ rows }, { builds, mayBeGone }] = await Promise.all([screen.count(of), screen.ready(of.period)]);
    const counts =
      goals.length === 0
        ? { whole: [], byTime: new Map() }
        : await askGoals(screen.store.unless(mayBeGone), of, { goals: targets, interval: each }, builds);
    return { visitors: rows[0]?.counts.visitors ?? 0, counts };
  };
  const [now, past] = await Promise.all([count(question, interval), before && count(before)]);
  const times = interval === undefined ? undefined : listIntervals(interval, question.period);
  return {
    period: question.period,
    ...(comparison !== undefined && { comparison }),
    visitors: now.visitors,
    goals: goals.map((goal, at) => ({
      ...goal,
      ...toNumbers(now, at),
      ...(past !== undefined && { comparison: toNumbers(past, at) }),
      ...(times !== undefined && {
        trend: times.map((time) => ({ time, conversions: now.counts.byTime.get(time)?.[at] ?? 0 })),
      }),
    })),
  };
}

function toNumbers({ visitors, counts }: Numbers, at: number) {
  const conversions = counts.whole[at] ?? 0;
  return { conversions, conversionRate: visitors === 0 ? null : conversions / visitors };
}
