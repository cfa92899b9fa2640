import { isDeepStrictEqual } from 'node:util';
import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { minuteMs } from '@trackside/contract/calendar/minute.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import type { Goal } from '@trackside/contract/stats/questions.ts';
import type { SavedGoal } from '../control/websites/goals.ts';
import type { SavedSegment } from '../control/websites/saved-segments.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Store } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';
import { listLimitsOfLinks } from './cache/ask-lists.ts';
import { createKnownEvents } from './cache/known-events.ts';
import type { DayBuilder } from './days/day-builder.ts';
import { beingSetUp, mayLackColumns, toStatsFault } from './faults.ts';
import { type AskedBy, createAskInTurn } from './plan/ask-in-turn.ts';
import {
  type Context,
  createKinds,
  type KindAnswers,
  type Prepared,
  toTime,
  type WithAsOf,
} from './plan/create-kinds.ts';
import { createSources, openScreen, type Screen } from './plan/plan-screen.ts';
import { QuestionError } from './question/question-error.ts';
import { shown } from './question/read-value.ts';
import { type Activity, askActivity } from './reports/ask-activity.ts';
import { askExcluded, type ExcludedRecords } from './reports/ask-excluded.ts';
import { askLiveScene, type LiveScene } from './reports/ask-live-scene.ts';
import { askReceipt, type ReceivedRecord } from './reports/ask-receipt.ts';

/** Who asks, and a signal that aborts when they leave. A user may name segments of their own. */
export type Asking = { by?: Exclude<AskedBy, 'live'>; userId?: number | undefined; signal?: AbortSignal };

/** What people have saved at a website that questions are about. */
export type Saved = {
  goalsOf: (websiteId: number) => Promise<readonly SavedGoal[]>;
  /** Finds a segment of the website, or of the user if one is given. */
  findSegment: (
    websiteId: number,
    id: number,
    userId: number | undefined,
  ) => Promise<Pick<SavedSegment, 'filters'> | undefined>;
};

/** A question as it was sent. */
export type ScreenQuestion = { kind: StatsKind; question: unknown };

// Counts the days, because a projection holds those counts. The lowest day alone would not be read from it.
const firstDayQuery = `
  select toString(min(day)) as first
  from (select day, count() from records where website_id = {website_id:UInt32} group by day)
  having count() > 0`;

/** Where a record is that was accepted, and the day that it counts on. */
export type FoundRecord = { state: 'on-disk' | 'gone'; day: null } | { state: 'stored'; day: string };

export type Statistics = ReturnType<typeof createStatistics>;

/**
 * Creates everything that can be asked about a website. Questions come as they were sent, and faults in them
 * throw a QuestionError. When a signal aborts, because the client has left, its reason is thrown, and work
 * that only this client waited for is given up.
 */
export function createStatistics(parts: {
  store: Pick<Store, 'ofWebsite' | 'isMigrated'>;
  days: Pick<DayBuilder, 'readyAll'>;
  clock: Clock;
  /** The store has everything that was received by this time. */
  completeUpToMs: () => number | Promise<number>;
  saved: Saved;
}) {
  const { store, days, clock, completeUpToMs, saved } = parts;

  const askInTurn = createAskInTurn(store);
  // Kept apart, because a client that waits for the same answer as another one waits in the other's turns.
  const sourcesFor = { user: createSources(), link: createSources(listLimitsOfLinks) };
  const isKnownEvent = createKnownEvents(clock);
  const firstDays = new Map<string, Promise<string | undefined>>();
  const kinds = createKinds({ clock, completeUpToMs });
  const nowAt = (website: Website) => createLocalTime(website.timezone)(clock.now());
  const storeFor = ({ id: websiteId }: Website, by: AskedBy) => askInTurn({ websiteId, by });

  /** Returns the day of a website's first record. Everyone who asks in the meantime shares one lookup. */
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

  /**
   * Refuses an event that no record has, because a rate of 0 would look like a fact. An event that an admin has
   * marked as a goal may still come.
   */
  async function refuseUnknown(website: Website, by: AskedBy, goal: Goal): Promise<void> {
    if ('page' in goal || (await isKnownEvent(storeFor(website, by), by, goal.event))) return;
    const goals = await saved.goalsOf(website.id);
    if (goals.some((one) => isDeepStrictEqual(one.goal, goal))) return;
    throw new QuestionError(
      `goal: expected the name of an event that the website has sent, got ${shown(goal.event)}: ` +
        'query the dimension event to see its events',
      'goal-unknown',
    );
  }

  /** Finds the segments that questions name. Those that whoever asks may not use are left out. */
  async function segmentsOf(
    website: Website,
    asked: readonly ScreenQuestion[],
    userId: number | undefined,
  ): Promise<Context['segments'] & {}> {
    const ids = [...new Set(asked.map(segmentOf))].filter((id) => Number.isSafeInteger(id)) as number[];
    const found = await Promise.all(ids.map((id) => saved.findSegment(website.id, id, userId)));
    return new Map(ids.flatMap((id, at) => (found[at] === undefined ? [] : [[id, found[at].filters]])));
  }

  /** Opens a screen. Days are built for everyone, even if this client disconnects in the meantime. */
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
      if (signal?.aborted) throw signal.reason;
      // After a start, questions come while columns are still being added.
      if (mayLackColumns(error) && !(await store.isMigrated())) throw beingSetUp();
      throw toStatsFault(error);
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
    const { by = 'user', userId, signal } = asking;
    const [nowMs, localTime] = [clock.now(), createLocalTime(website.timezone)];
    const now = localTime(nowMs);
    const checkGoal = (goal: Goal) => refuseUnknown(website, by, goal);
    const context: Context = {
      now,
      minutesAgo: (minutes) => localTime(nowMs - minutes * minuteMs),
      firstDay: now.day,
      timezone: website.timezone,
      addressRules: website,
      checkGoal,
      findFirstDay: () => firstDayOf(website, by),
      goals: () => saved.goalsOf(website.id),
    };
    const begin = (questions: readonly ScreenQuestion[], known: Partial<Context> = {}) => {
      const prepared = questions.map((question) => prepare(question, { ...context, ...known }));
      const screen = openScreenFor(website, prepared, asking);
      return new Map(questions.map((question, at) => [question, prepared[at]!.answer(screen)]));
    };
    // The start of their period, or their segment, has to be looked up first. The other questions do not wait
    // for that.
    const ofSegment = asked.filter((one) => segmentOf(one) !== undefined);
    const ofAll = asked.filter(
      (one) => isOfAll(one) && (ofSegment.includes(one) || prepare(one, context).isFaulty !== true),
    );
    const waiting = asked.filter((one) => ofSegment.includes(one) || ofAll.includes(one));
    const soon = begin(asked.filter((one) => !waiting.includes(one)));
    const lookUp = async () => {
      const [segments, firstDay = now.day] = await Promise.all([
        segmentsOf(website, ofSegment, userId),
        ofAll.length === 0 ? undefined : firstDayOf(website, by),
      ]);
      signal?.throwIfAborted();
      return begin(waiting, { segments, firstDay });
    };
    const later = waiting.length === 0 ? undefined : lookUp();
    return asked.map((one) =>
      translateStoreFaults(signal, soon.get(one) ?? later!.then((answers) => answers.get(one)!)),
    );
  }

  /** Answers a single question as a screen with one question. */
  function answerOne<Kind extends StatsKind>(kind: Kind) {
    return (website: Website, question: unknown, asking: Asking = {}) =>
      answerScreen(website, [{ kind, question }], asking)[0] as Promise<KindAnswers[Kind]>;
  }

  return {
    answerScreen,
    query: answerOne('query'),
    live: (website: Website, asking: Asking = {}) => answerOne('live')(website, {}, asking),
    bots: answerOne('bots'),
    funnel: answerOne('funnel'),
    retention: answerOne('retention'),
    paths: answerOne('paths'),
    goals: answerOne('goals'),

    /** Returns the current visitors and what they do. */
    async liveScene(website: Website): Promise<WithAsOf<LiveScene>> {
      const completeMs = await completeUpToMs();
      const asked = askLiveScene(storeFor(website, 'live'), clock.now(), website);
      const scene = await translateStoreFaults(undefined, asked);
      return { ...scene, asOf: toTime(completeMs) };
    },

    /** Returns the visitors of the last 24 hours, read directly from the records. */
    activity: (website: Website): Promise<Activity> =>
      translateStoreFaults(undefined, askActivity(storeFor(website, 'user'), clock.now())),

    /**
     * Finds an accepted record. The time comes first: what is received after it may come into the store while
     * it is being looked for.
     */
    async findRecord(website: Website, record: ReceivedRecord): Promise<FoundRecord> {
      const completeMs = await completeUpToMs();
      const asked = askReceipt(storeFor(website, 'user'), record);
      const day = await translateStoreFaults(undefined, asked);
      if (day !== undefined) return { state: 'stored', day };
      return { state: record.receivedAtMs > completeMs ? 'on-disk' : 'gone', day: null };
    },

    /** Returns how many records of the last 24 hours rules would have excluded. */
    excluded: (website: Website, rules: readonly Exclusion[]): Promise<ExcludedRecords> =>
      translateStoreFaults(
        undefined,
        askExcluded(storeFor(website, 'user'), { rules, nowMs: clock.now(), addresses: website }),
      ),
  };
}

/** Returns the segment that a question names, whatever that is. */
function segmentOf({ question }: ScreenQuestion): unknown {
  if (typeof question !== 'object' || question === null) return undefined;
  return (question as { segment?: unknown }).segment;
}

/** Whether a question is about all days, or compared with all of them. */
function isOfAll({ question }: ScreenQuestion): boolean {
  if (typeof question !== 'object' || question === null) return false;
  const { period, compare } = question as { period?: unknown; compare?: unknown };
  return period === 'all' || compare === 'all';
}
