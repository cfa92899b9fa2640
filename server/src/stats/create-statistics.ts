import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Store } from '../store/open-store.ts';
import type { WebsiteStore } from '../store/website-store.ts';
import type { Clock } from '../time/clock.ts';
import { createSharedAnswers } from './answer/answer.ts';
import { createAskInTurn } from './answer/ask-in-turn.ts';
import { listLimitsOfLinks } from './answer/ask-lists.ts';
import { type Answer, askQuestion } from './answer/ask-question.ts';
import type { AskedBy } from './answer/take-turns.ts';
import type { Days, ReadyDays } from './days/keep-days.ts';
import { toStatsFault } from './faults.ts';
import { type QuestionContext, readQuestion } from './question/read-question.ts';
import { type Activity, askActivity } from './reports/ask-activity.ts';
import { askBots, type Bots, readBots } from './reports/ask-bots.ts';
import { askFunnel, type FunnelResult } from './reports/ask-funnel.ts';
import { askLive, type Live } from './reports/ask-live.ts';
import { askLiveScene, type LiveScene } from './reports/ask-live-scene.ts';
import { askPaths, type PathsResult } from './reports/ask-paths.ts';
import { askRetention, type RetentionResult } from './reports/ask-retention.ts';
import { readFunnel, readPaths, readRetention } from './reports/read-reports.ts';

export type WithAsOf<T> = T & {
  /** Everything up to then is counted. */
  asOf: string;
};

/** Who asks, and when they have gone. */
export type Asking = { by?: Exclude<AskedBy, 'live'>; signal?: AbortSignal };

// Days are counted by a projection, which the lowest day alone would not be read from.
const firstDayQuery = `
  select toString(min(day)) as first
  from (select day, count() from records where website_id = {website_id:UInt32} group by day)
  having count() > 0`;

export type Statistics = ReturnType<typeof createStatistics>;

/**
 * What can be asked about a website; bodies come as they were sent, and faults in them throw QuestionError. When a signal is
 * aborted, because who asked has gone, its reason is thrown, and what only they waited for is given up.
 */
export function createStatistics(parts: {
  store: Pick<Store, 'ofWebsite'>;
  days: Pick<Days, 'ready'>;
  clock: Clock;
  /** Age of the oldest record that was accepted and is not in the store yet. */
  lagMs: () => number;
}) {
  const { store, days, clock, lagMs } = parts;

  const askInTurn = createAskInTurn(store);
  // Apart, because who waits for the same answer as another waits in the other's turns.
  const sharedBy = { user: createSharedAnswers(), link: createSharedAnswers(listLimitsOfLinks) };
  const firstDays = new Map<string, Promise<string | undefined>>();
  const toTime = (ms: number) => new Date(ms - lagMs()).toISOString();
  const nowAt = (website: Website) => createLocalTime(website.timezone)(clock.now());
  const storeFor = ({ id: websiteId }: Website, by: AskedBy) => askInTurn({ websiteId, by });

  /** The day of a website's first record; the same look for all who ask meanwhile. */
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

  /** Reads what was asked. What is wrong with it shows before the store is asked for anything. */
  async function readAsked<Input>(
    website: Website,
    body: unknown,
    read: (body: unknown, context: QuestionContext) => Input,
    { by = 'user', signal }: Asking,
  ): Promise<Input> {
    const now = nowAt(website);
    const input = read(body, { now, firstDay: now.day });
    const isOfAll = (body as { period?: unknown }).period === 'all';
    if (!isOfAll) return input;
    const firstDay = await firstDayOf(website, by);
    signal?.throwIfAborted();
    return firstDay === undefined ? input : read(body, { now, firstDay });
  }

  /** The builds of all the periods that a question looks at. Days are built for everybody, whoever goes meanwhile. */
  async function readyFor(
    website: Website,
    periods: readonly (Period | undefined)[],
    { by = 'user', signal }: Asking,
  ): Promise<ReadyDays> {
    const today = nowAt(website).day;
    const asked = periods.filter((period) => period !== undefined);
    const through = { store: storeFor(website, by), by };
    const all = await Promise.all(asked.map((period) => days.ready(website.id, period, today, through)));
    signal?.throwIfAborted();
    const built = new Map(all.flatMap(({ days: of }) => of.map((day) => [day.build, day])));
    return {
      days: [...built.values()],
      builds: [...built.keys()],
      hasClients: all.some(({ hasClients }) => hasClients),
      asOfMs: Math.min(...all.map(({ asOfMs }) => asOfMs)),
    };
  }

  /** Faults of the store in words for who asked. */
  async function told<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw signal?.aborted ? signal.reason : toStatsFault(error);
    }
  }

  const questions = {
    async query(website: Website, body: unknown, asking: Asking): Promise<WithAsOf<Answer>> {
      const { by = 'user', signal } = asking;
      const asked = await readAsked(website, body, readQuestion, asking);
      const ready = await readyFor(website, [asked.question.period, asked.comparison], asking);
      const answer = await askQuestion(storeFor(website, by), asked, ready, sharedBy[by], signal);
      return { ...answer, asOf: toTime(ready.asOfMs) };
    },

    /** Who is there now. Straight from the records: as of now. */
    async live(website: Website, { by = 'user', signal }: Asking): Promise<WithAsOf<Live>> {
      const nowMs = clock.now();
      const live = await askLive(storeFor(website, by).until(signal), nowMs);
      return { ...live, asOf: toTime(nowMs) };
    },

    /** The same, with what they do. */
    async liveScene(website: Website): Promise<WithAsOf<LiveScene>> {
      const nowMs = clock.now();
      const scene = await askLiveScene(storeFor(website, 'live'), nowMs);
      return { ...scene, asOf: toTime(nowMs) };
    },

    /** The last 24 hours, likewise. */
    async activity(website: Website): Promise<Activity> {
      return await askActivity(storeFor(website, 'user'), clock.now());
    },

    async bots(website: Website, body: unknown, asking: Asking): Promise<WithAsOf<Bots>> {
      const { by = 'user', signal } = asking;
      const input = await readAsked(website, body, readBots, asking);
      const bots = await askBots(storeFor(website, by).until(signal), input);
      return { ...bots, asOf: toTime(clock.now()) };
    },

    /** A report over the visits of whole days. */
    async report<Input extends { period: Period }, Result extends object>(
      website: Website,
      body: unknown,
      read: (body: unknown, context: QuestionContext) => Input,
      ask: (of: WebsiteStore, input: Input, builds: readonly string[]) => Promise<Result>,
      asking: Asking,
    ): Promise<WithAsOf<Result & { period: Period }>> {
      const { by = 'user', signal } = asking;
      const input = await readAsked(website, body, read, asking);
      const { builds, asOfMs } = await readyFor(website, [input.period], asking);
      const result = await ask(storeFor(website, by).until(signal), input, builds);
      return { period: input.period, ...result, asOf: toTime(asOfMs) };
    },
  };

  type Report<Result> = Promise<WithAsOf<Result & { period: Period }>>;
  return {
    query: (website: Website, body: unknown, asking: Asking = {}) =>
      told(asking.signal, () => questions.query(website, body, asking)),
    live: (website: Website, asking: Asking = {}) =>
      told(asking.signal, () => questions.live(website, asking)),
    liveScene: (website: Website) => told(undefined, () => questions.liveScene(website)),
    activity: (website: Website) => told(undefined, () => questions.activity(website)),
    bots: (website: Website, body: unknown, asking: Asking = {}) =>
      told(asking.signal, () => questions.bots(website, body, asking)),
    funnel: (website: Website, body: unknown, asking: Asking = {}): Report<FunnelResult> =>
      told(asking.signal, () => questions.report(website, body, readFunnel, askFunnel, asking)),
    retention: (website: Website, body: unknown, asking: Asking = {}): Report<RetentionResult> =>
      told(asking.signal, () => questions.report(website, body, readRetention, askRetention, asking)),
    paths: (website: Website, body: unknown, asking: Asking = {}): Report<PathsResult> =>
      told(asking.signal, () => questions.report(website, body, readPaths, askPaths, asking)),
  };
}
