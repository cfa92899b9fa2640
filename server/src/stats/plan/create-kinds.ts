import type { Period } from '@trackside/contract/calendar/period.ts';
import type { VisitorsAre } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import { type Goal, nothingSchema } from '@trackside/contract/stats/questions.ts';
import type { SavedGoal } from '../../control/websites/goals.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import type { DayBuild } from '../days/ready-days.ts';
import type { QuestionContext } from '../question/read-period.ts';
import { type Question, readQuestion } from '../question/read-question.ts';
import { readObject } from '../question/read-value.ts';
import { askBots, type Bots, readBots } from '../reports/ask-bots.ts';
import { askFunnel, type FunnelResult } from '../reports/ask-funnel.ts';
import { askLive, type Live } from '../reports/ask-live.ts';
import { askPaths, type PathsResult } from '../reports/ask-paths.ts';
import { askRetention, type RetentionResult } from '../reports/ask-retention.ts';
import { readFunnel, readPaths, readRetention } from '../reports/read-reports.ts';
import { answerGoals, type GoalsResult, readGoals } from './answer-goals.ts';
import { type Answer, answerQuestion } from './answer-question.ts';
import { splitAtLastDay } from './count-until.ts';
import type { Screen } from './plan-screen.ts';

export type WithAsOf<T> = T & {
  /** Everything received up to this time is counted. */
  asOf: string;
};

/** The answer to each kind of question. */
export type KindAnswers = {
  query: WithAsOf<Answer>;
  live: WithAsOf<Live>;
  bots: WithAsOf<Bots>;
  funnel: WithAsOf<FunnelResult & { period: Period; visitorsAre: VisitorsAre }>;
  retention: WithAsOf<RetentionResult & { period: Period }>;
  paths: WithAsOf<PathsResult & { period: Period }>;
  goals: WithAsOf<GoalsResult & { visitorsAre: VisitorsAre }>;
};

/**
 * A question that was read: what its screen must prepare, and how the question is answered from the screen.
 */
export type Prepared<Result> = {
  periods: readonly Period[];
  questions: readonly Question[];
  answer: (screen: Screen) => Promise<Result>;
  isFaulty?: true;
};
/** The context of a question at a website. */
export type Context = QuestionContext & {
  timezone: string;
  /** Refuses an event that the website has not sent. */
  checkGoal: (goal: Goal) => Promise<void>;
  /** Finds the day of the website's first record. */
  findFirstDay: () => Promise<string | undefined>;
  /** The pages and events that the website counts as goals. */
  goals: () => Promise<readonly SavedGoal[]>;
};
type Prepare<Result> = (body: unknown, context: Context) => Prepared<Result>;

const metricsOfVisitors: readonly MetricName[] = [
  'visitors',
  'eventsPerVisitor',
  'conversions',
  'conversionRate',
];

export const toTime = (ms: number) => new Date(ms).toISOString();

/**
 * Returns how each kind of question is read, and how it is answered from its screen. Faults in a question
 * show up here.
 */
export function createKinds(parts: {
  clock: Clock;
  /** The store has everything that was received by this time. */
  completeUpToMs: () => number | Promise<number>;
}): { [Kind in StatsKind]: Prepare<KindAnswers[Kind]> } {
  const { clock, completeUpToMs } = parts;
  return {
    query(body, context) {
      const asked = readQuestion(body, context);
      const { question, comparison, before } = asked;
      const periods = comparison === undefined ? [question.period] : [question.period, comparison];
      const parts = before === undefined ? [] : splitAtLastDay(before.period);
      return {
        periods: [...periods, ...parts],
        // One that may be counted in parts waits until that is known.
        questions: before === undefined || parts.length > 0 ? [question] : [question, before],
        async answer(screen) {
          const [answer, visitorsAre, firstDay, ...ready] = await Promise.all([
            answerQuestion(screen, asked, context.timezone),
            isAboutVisitors(question) ? screen.visitorsAre(question) : undefined,
            comparison && findLaterStart(screen, comparison, context),
            ...periods.map(screen.ready),
          ]);
          if (question.goal !== undefined && !hasConversions(answer)) await context.checkGoal(question.goal);
          const asOf = toTime(Math.min(...ready.map(({ asOfMs }) => asOfMs)));
          return {
            ...answer,
            ...(firstDay !== undefined && { comparisonDataFrom: firstDay }),
            ...(visitorsAre !== undefined && { visitorsAre }),
            asOf,
          };
        },
      };
    },

    /** The current visitors, read directly from the records, so the answer is as of now. */
    live(body) {
      readObject('Question', body, nothingSchema);
      return {
        periods: [],
        questions: [],
        async answer(screen) {
          const completeMs = await completeUpToMs();
          const live = await askLive(screen.store, clock.now());
          return { ...live, asOf: toTime(completeMs) };
        },
      };
    },

    bots(body, context) {
      const input = readBots(body, context);
      return {
        periods: [],
        questions: [],
        async answer(screen) {
          const completeMs = await completeUpToMs();
          const bots = await askBots(screen.store, input);
          return { ...bots, asOf: toTime(completeMs) };
        },
      };
    },

    funnel: report(readFunnel, askFunnel, async (screen, { period, within = 'visit' }) => ({
      // Steps within days are those of visitors with a ClientId.
      visitorsAre: within === 'visit' ? await screen.visitorsAre({ period }) : ('distinct' as const),
    })),
    retention: report(readRetention, askRetention),
    paths: report(readPaths, askPaths),

    goals(body, context) {
      const input = readGoals(body, context);
      const { question, comparison, before } = input;
      const periods = comparison === undefined ? [question.period] : [question.period, comparison];
      return {
        periods,
        questions: before === undefined ? [question] : [question, before],
        async answer(screen) {
          const [answer, visitorsAre, firstDay, ...ready] = await Promise.all([
            context.goals().then((goals) => answerGoals(screen, input, goals, context)),
            screen.visitorsAre(question),
            comparison && findLaterStart(screen, comparison, context),
            ...periods.map(screen.ready),
          ]);
          const asOf = toTime(Math.min(...ready.map(({ asOfMs }) => asOfMs)));
          return {
            ...answer,
            ...(firstDay !== undefined && { comparisonDataFrom: firstDay }),
            visitorsAre,
            asOf,
          };
        },
      };
    },
  };
}

/** Prepares a report on the visits of whole days. */
function report<Input extends { period: Period }, Result extends object, More extends object = object>(
  read: (body: unknown, context: QuestionContext) => Input,
  ask: (of: WebsiteStore, input: Input, builds: readonly DayBuild[]) => Promise<Result>,
  askMore?: (screen: Screen, input: Input) => Promise<More>,
): Prepare<WithAsOf<Result & More & { period: Period }>> {
  return (body, context) => {
    const input = read(body, context);
    return {
      periods: [input.period],
      questions: [],
      async answer(screen) {
        const { builds, asOfMs, mayBeGone } = await screen.ready(input.period);
        const [result, more] = await Promise.all([
          ask(screen.store.unless(mayBeGone), input, builds),
          askMore?.(screen, input),
        ]);
        return { period: input.period, ...(more as More), ...result, asOf: toTime(asOfMs) };
      },
    };
  };
}

/** Finds the day of the first record if a comparison begins before it, so that it lacks some of its days. */
async function findLaterStart(
  { ready }: Pick<Screen, 'ready'>,
  comparison: Period,
  { findFirstDay }: Pick<Context, 'findFirstDay'>,
): Promise<string | undefined> {
  const { days } = await ready(comparison);
  if (days.some(({ day }) => day === comparison.from)) return undefined;
  const firstDay = await findFirstDay();
  return firstDay !== undefined && firstDay > comparison.from ? firstDay : undefined;
}

const isAboutVisitors = ({ metrics }: Question) => metrics.some((name) => metricsOfVisitors.includes(name));

/** Whether an answer has conversions, which means that the goal is an event of the website. */
const hasConversions = ({ rows }: Answer) =>
  rows.some(({ metrics, comparison }) =>
    [metrics, comparison].some((numbers) => numbers?.conversions || numbers?.conversionRate),
  );
