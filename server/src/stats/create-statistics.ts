import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { VisitorsAre } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import { nothingSchema } from '@trackside/contract/stats/questions.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Store } from '../store/open-store.ts';
import type { WebsiteStore } from '../store/website-store.ts';
import type { Clock } from '../time/clock.ts';
import { listLimitsOfLinks } from './cache/ask-lists.ts';
import { createKnownEvents } from './cache/known-events.ts';
import type { DayBuilder } from './days/day-builder.ts';
import type { DayBuild } from './days/ready-days.ts';
import { toStatsFault } from './faults.ts';
import { type Answer, answerQuestion } from './plan/answer-question.ts';
import { type AskedBy, createAskInTurn } from './plan/ask-in-turn.ts';
import { createSources, openScreen, type Screen } from './plan/plan-screen.ts';
import { QuestionError } from './question/question-error.ts';
import type { QuestionContext } from './question/read-period.ts';
import { type Question, readQuestion } from './question/read-question.ts';
import { readObject, shown } from './question/read-value.ts';
import { type Activity, askActivity } from './reports/ask-activity.ts';
import { askBots, type Bots, readBots } from './reports/ask-bots.ts';
import { askFunnel, type FunnelResult } from './reports/ask-funnel.ts';
import { askLive, type Live } from './reports/ask-live.ts';
import { askLiveScene, type LiveScene } from './reports/ask-live-scene.ts';
import { askPaths, type PathsResult } from './reports/ask-paths.ts';
import { askRetention, type RetentionResult } from './reports/ask-retention.ts';
import { readFunnel, readPaths, readRetention } from './reports/read-reports.ts';

export type WithAsOf<T> = T & {
  /** Everything received up to this time is counted. */
  asOf: string;
};

/** Who asks, and a signal that aborts when they leave. */
export type Asking = { by?: Exclude<AskedBy, 'live'>; signal?: AbortSignal };

/** The answer to each kind of question. */
type Answers = {
  query: WithAsOf<Answer>;
  live: WithAsOf<Live>;
  bots: WithAsOf<Bots>;
  funnel: WithAsOf<FunnelResult & { period: Period; visitorsAre: VisitorsAre }>;
  retention: WithAsOf<RetentionResult & { period: Period }>;
  paths: WithAsOf<PathsResult & { period: Period }>;
};

/** A question as it was sent. */
export type ScreenQuestion = { kind: StatsKind; question: unknown };

/**
 * A question that was read: what its screen must prepare, and how the question is answered from the screen.
 */
type Prepared<Result> = {
  periods: readonly Period[];
  questions: readonly Question[];
  answer: (screen: Screen) => Promise<Result>;
  isFaulty?: true;
};
/** The context of a question at a website. `checkGoal` refuses an event that the website has not sent. */
type Context = QuestionContext & { timezone: string; checkGoal: (goal: string) => Promise<void> };
type Prepare<Result> = (body: unknown, context: Context) => Prepared<Result>;

// Counts the days, because a projection holds those counts. The lowest day alone would not be read from it.
const firstDayQuery = `
  select toString(min(day)) as first
  from (select day, count() from records where website_id = {website_id:UInt32} group by day)
  having count() > 0`;

const metricsOfVisitors: readonly MetricName[] = ['visitors', 'eventsPerVisitor', 'conversionRate'];

export type Statistics = ReturnType<typeof createStatistics>;

/**
 * Creates everything that can be asked about a website. Questions come as they were sent, and faults in them
 * throw a QuestionError. When a signal aborts, because the client has left, its reason is thrown, and work
 * that only this client waited for is given up.
 */
export function createStatistics(parts: {
  store: Pick<Store, 'ofWebsite'>;
  days: Pick<DayBuilder, 'readyAll'>;
  clock: Clock;
  /** The store has everything that was received by this time. */
  completeUpToMs: () => number;
}) {
  const { store, days, clock, completeUpToMs } = parts;

  const askInTurn = createAskInTurn(store);
  // Kept apart, because a client that waits for the same answer as another one waits in the other's turns.
  const sourcesFor = { user: createSources(), link: createSources(listLimitsOfLinks) };
  const isKnownEvent = createKnownEvents(clock);
  const firstDays = new Map<string, Promise<string | undefined>>();
  const toTime = (ms: number) => new Date(ms).toISOString();
  const nowAt = (website: Website) => createLocalTime(website.timezone)(clock.now());
  const storeFor = ({ id: websiteId }: Website, by: AskedBy) => askInTurn({ websiteId, by });

  /** Returns the day of a website's first record. Everybody who asks meanwhile shares one lookup. */
  function firstDayOf(website: Website, by: AskedBy): Promise<string | undefined> {
    const key = `${website.id} ${by}`;
    const known = firstDays.get(key);
    if (known !== undefined) return known;
    const found = storeFor(website, by)
      .query<{ first: string }>({ query: firstDayQuery, isQuick: true })
      .then(([row]) => row?.first)
      .finally(() => firstDays.delete(key));
    firstDays.set(key, found);
    return found;
  }

  /** Refuses a goal that no record has, because a rate of 0 would look like a fact. */
  async function refuseUnknown(website: Website, by: AskedBy, goal: string): Promise<void> {
    if (await isKnownEvent(storeFor(website, by), by, goal)) return;
    throw new QuestionError(
      `goal: expected the name of an event that the website has sent, got ${shown(goal)}: ` +
        'ask for the dimension event to see its events',
      'goal-unknown',
    );
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
          const { builds, asOfMs } = await screen.ready(input.period);
          const [result, more] = await Promise.all([
            ask(screen.store, input, builds),
            askMore?.(screen, input),
          ]);
          return { period: input.period, ...(more as More), ...result, asOf: toTime(asOfMs) };
        },
      };
    };
  }

  /**
   * How each kind of question is read, and how it is answered from its screen. Faults in a question show up
   * here.
   */
  const kinds: { [Kind in StatsKind]: Prepare<Answers[Kind]> } = {
    query(body, context) {
      const asked = readQuestion(body, context);
      const { question, comparison, before } = asked;
      const periods = comparison === undefined ? [question.period] : [question.period, comparison];
      return {
        periods,
        questions: before === undefined ? [question] : [question, before],
        async answer(screen) {
          const [answer, visitorsAre, ...ready] = await Promise.all([
            answerQuestion(screen, asked, context.timezone),
            isAboutVisitors(question) ? screen.visitorsAre(question) : undefined,
            ...periods.map(screen.ready),
          ]);
          if (question.goal !== undefined && !hasConversions(answer)) await context.checkGoal(question.goal);
          const asOf = toTime(Math.min(...ready.map(({ asOfMs }) => asOfMs)));
          return { ...answer, ...(visitorsAre !== undefined && { visitorsAre }), asOf };
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
          const completeMs = completeUpToMs();
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
          const completeMs = completeUpToMs();
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
  };

  /** Opens a screen. Days are built for everybody, even if this client leaves meanwhile. */
  function openScreenFor(website: Website, prepared: readonly Prepared<object>[], asking: Asking): Screen {
    const { by = 'user', signal } = asking;
    const through = { store: storeFor(website, by), by };
    const today = nowAt(website).day;
    return openScreen(
      {
        store: through.store,
        sources: sourcesFor[by],
        readyAll: (periods) => days.readyAll(periods, today, through),
        signal,
      },
      {
        periods: prepared.flatMap(({ periods }) => periods),
        questions: prepared.flatMap(({ questions }) => questions),
      },
    );
  }

  /** Prepares a question. One that cannot be read needs no data, and its fault is its answer. */
  function prepare({ kind, question }: ScreenQuestion, context: Context): Prepared<object> {
    try {
      return kinds[kind](question, context);
    } catch (error) {
      return { periods: [], questions: [], answer: () => Promise.reject(error), isFaulty: true };
    }
  }

  /** Turns a fault of the store into one that the asker can understand. */
  async function translateStoreFaults<T>(signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw signal?.aborted ? signal.reason : toStatsFault(error);
    }
  }

  /**
   * Answers the questions of one request, each as soon as possible. They are read first and planned as a
   * whole, so that anything that several of them need is read once.
   */
  function answerScreen(
    website: Website,
    asked: readonly ScreenQuestion[],
    asking: Asking = {},
  ): Promise<object>[] {
    const { by = 'user', signal } = asking;
    const now = nowAt(website);
    const checkGoal = (goal: string) => refuseUnknown(website, by, goal);
    const context: Context = {
      now,
      firstDay: now.day,
      timezone: website.timezone,
      addressRules: website,
      checkGoal,
    };
    const begin = (questions: readonly ScreenQuestion[], firstDay: string) => {
      const prepared = questions.map((question) => prepare(question, { ...context, firstDay }));
      const screen = openScreenFor(website, prepared, asking);
      return new Map(questions.map((question, at) => [question, prepared[at]!.answer(screen)]));
    };
    // The start of their period has to be looked up first. The other questions do not wait for that.
    const ofAll = asked.filter((one) => isOfAll(one) && prepare(one, context).isFaulty !== true);
    const soon = begin(
      asked.filter((one) => !ofAll.includes(one)),
      now.day,
    );
    const later =
      ofAll.length === 0
        ? undefined
        : firstDayOf(website, by).then((firstDay) => {
            signal?.throwIfAborted();
            return begin(ofAll, firstDay ?? now.day);
          });
    return asked.map((one) =>
      translateStoreFaults(signal, soon.get(one) ?? later!.then((answers) => answers.get(one)!)),
    );
  }

  /** Answers a single question as a screen with one question. */
  function answerOne<Kind extends StatsKind>(kind: Kind) {
    return (website: Website, question: unknown, asking: Asking = {}) =>
      answerScreen(website, [{ kind, question }], asking)[0] as Promise<Answers[Kind]>;
  }

  return {
    answerScreen,
    query: answerOne('query'),
    live: (website: Website, asking: Asking = {}) => answerOne('live')(website, {}, asking),
    bots: answerOne('bots'),
    funnel: answerOne('funnel'),
    retention: answerOne('retention'),
    paths: answerOne('paths'),

    /** Returns the current visitors and what they do. */
    async liveScene(website: Website): Promise<WithAsOf<LiveScene>> {
      const completeMs = completeUpToMs();
      const asked = askLiveScene(storeFor(website, 'live'), clock.now(), website);
      const scene = await translateStoreFaults(undefined, asked);
      return { ...scene, asOf: toTime(completeMs) };
    },

    /** Returns the visitors of the last 24 hours, read directly from the records. */
    activity: (website: Website): Promise<Activity> =>
      translateStoreFaults(undefined, askActivity(storeFor(website, 'user'), clock.now())),
  };
}

const isAboutVisitors = ({ metrics }: Question) => metrics.some((name) => metricsOfVisitors.includes(name));

/** Whether an answer tells of conversions, so that the goal is an event of the website. */
const hasConversions = ({ rows }: Answer) =>
  rows.some(({ metrics, comparison }) => Boolean(metrics.conversionRate || comparison?.conversionRate));

/** Whether a question is about all days, or compared with all of them. */
function isOfAll({ question }: ScreenQuestion): boolean {
  if (typeof question !== 'object' || question === null) return false;
  const { period, compare } = question as { period?: unknown; compare?: unknown };
  return period === 'all' || compare === 'all';
}
