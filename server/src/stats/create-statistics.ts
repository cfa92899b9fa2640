import type { Website } from '../control/website-row.ts';
import type { Clock } from '../core/clock.ts';
import { createLocalTime } from '../core/local-time.ts';
import type { WebsiteStore } from '../store/of-website.ts';
import type { Store } from '../store/open-store.ts';
import { createSharedAnswers } from './answer/answer.ts';
import { type Answer, askQuestion } from './answer/ask-question.ts';
import type { Days, ReadyDays } from './days/keep-days.ts';
import { toStatsFault } from './faults.ts';
import type { Period } from './question/question.ts';
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

  const shared = createSharedAnswers();
  const toTime = (ms: number) => new Date(ms - lagMs()).toISOString();
  const nowAt = (website: Website) => createLocalTime(website.timezone)(clock.now());

  async function contextOf(website: Website, body: unknown, signal?: AbortSignal): Promise<QuestionContext> {
    const now = nowAt(website);
    const isAll = typeof body === 'object' && body !== null && 'period' in body && body.period === 'all';
    if (!isAll) return { now, firstDay: now.day };
    const of = store.ofWebsite(website.id).until(signal);
    const [row] = await of.query<{ first: string }>({
      query: 'select toString(min(day)) as first from records where website_id = {website_id:UInt32}',
    });
    // A table without rows has its lowest day as the first one.
    return { now, firstDay: row === undefined || row.first === '1970-01-01' ? now.day : row.first };
  }

  /** The builds of all the periods that a question looks at. Days are built for everybody, whoever goes meanwhile. */
  async function readyFor(
    website: Website,
    periods: readonly (Period | undefined)[],
    signal: AbortSignal | undefined,
  ): Promise<ReadyDays> {
    const today = nowAt(website).day;
    const asked = periods.filter((period) => period !== undefined);
    const all = await Promise.all(asked.map((period) => days.ready(website.id, period, today)));
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
    async query(website: Website, body: unknown, signal?: AbortSignal): Promise<WithAsOf<Answer>> {
      const asked = readQuestion(body, await contextOf(website, body, signal));
      const ready = await readyFor(website, [asked.question.period, asked.comparison], signal);
      const answer = await askQuestion(store.ofWebsite(website.id), asked, ready, shared, signal);
      return { ...answer, asOf: toTime(ready.asOfMs) };
    },

    /** Who is there now. Straight from the records: as of now. */
    async live(website: Website, signal?: AbortSignal): Promise<WithAsOf<Live>> {
      const nowMs = clock.now();
      const live = await askLive(store.ofWebsite(website.id).until(signal), nowMs);
      return { ...live, asOf: toTime(nowMs) };
    },

    /** The same, with what they do. */
    async liveScene(website: Website): Promise<WithAsOf<LiveScene>> {
      const nowMs = clock.now();
      const scene = await askLiveScene(store.ofWebsite(website.id), nowMs);
      return { ...scene, asOf: toTime(nowMs) };
    },

    /** The last 24 hours, likewise. */
    async activity(website: Website): Promise<Activity> {
      return await askActivity(store.ofWebsite(website.id), clock.now());
    },

    async bots(website: Website, body: unknown, signal?: AbortSignal): Promise<WithAsOf<Bots>> {
      const context = await contextOf(website, body, signal);
      const input = readBots(body, context);
      const ask = () => askBots(store.ofWebsite(website.id).until(signal), input);
      const bots = await shared.takeTurns(website.id, ask, signal);
      return { ...bots, asOf: toTime(clock.now()) };
    },

    /** A report over the visits of whole days. */
    async report<Input extends { period: Period }, Result extends object>(
      website: Website,
      body: unknown,
      read: (body: unknown, context: QuestionContext) => Input,
      ask: (of: WebsiteStore, input: Input, builds: readonly string[]) => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<WithAsOf<Result & { period: Period }>> {
      const input = read(body, await contextOf(website, body, signal));
      const { builds, asOfMs } = await readyFor(website, [input.period], signal);
      const askNow = () => ask(store.ofWebsite(website.id).until(signal), input, builds);
      const result = await shared.takeTurns(website.id, askNow, signal);
      return { period: input.period, ...result, asOf: toTime(asOfMs) };
    },
  };

  type Report<Result> = Promise<WithAsOf<Result & { period: Period }>>;
  return {
    query: (website: Website, body: unknown, signal?: AbortSignal) =>
      told(signal, () => questions.query(website, body, signal)),
    live: (website: Website, signal?: AbortSignal) => told(signal, () => questions.live(website, signal)),
    liveScene: (website: Website) => told(undefined, () => questions.liveScene(website)),
    activity: (website: Website) => told(undefined, () => questions.activity(website)),
    bots: (website: Website, body: unknown, signal?: AbortSignal) =>
      told(signal, () => questions.bots(website, body, signal)),
    funnel: (website: Website, body: unknown, signal?: AbortSignal): Report<FunnelResult> =>
      told(signal, () => questions.report(website, body, readFunnel, askFunnel, signal)),
    retention: (website: Website, body: unknown, signal?: AbortSignal): Report<RetentionResult> =>
      told(signal, () => questions.report(website, body, readRetention, askRetention, signal)),
    paths: (website: Website, body: unknown, signal?: AbortSignal): Report<PathsResult> =>
      told(signal, () => questions.report(website, body, readPaths, askPaths, signal)),
  };
}
