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
import { askBots, type Bots } from './reports/ask-bots.ts';
import { askFunnel, type FunnelResult } from './reports/ask-funnel.ts';
import { askLive, type Live } from './reports/ask-live.ts';
import { askPaths, type PathsResult } from './reports/ask-paths.ts';
import { askRetention, type RetentionResult } from './reports/ask-retention.ts';
import { readFunnel, readPaths, readRetention } from './reports/read-reports.ts';

export type WithAsOf<T> = T & {
  /** Everything up to then is counted. */
  asOf: string;
};

export type Statistics = ReturnType<typeof createStatistics>;

/** What can be asked about a website; bodies come as they were sent, and faults in them throw QuestionError. */
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

  async function contextOf(website: Website, body: unknown): Promise<QuestionContext> {
    const now = nowAt(website);
    const isAll = typeof body === 'object' && body !== null && 'period' in body && body.period === 'all';
    if (!isAll) return { now, firstDay: now.day };
    const [row] = await store.ofWebsite(website.id).query<{ first: string }>({
      query: 'select toString(min(day)) as first from records where website_id = {website_id:UInt32}',
    });
    // A table without rows has its lowest day as the first one.
    return { now, firstDay: row === undefined || row.first === '1970-01-01' ? now.day : row.first };
  }

  /** The builds of all the periods that a question looks at. */
  async function readyFor(website: Website, ...periods: (Period | undefined)[]): Promise<ReadyDays> {
    const today = nowAt(website).day;
    const asked = periods.filter((period) => period !== undefined);
    const all = await Promise.all(asked.map((period) => days.ready(website.id, period, today)));
    const built = new Map(all.flatMap(({ days: of }) => of.map((day) => [day.build, day])));
    return {
      days: [...built.values()],
      builds: [...built.keys()],
      hasClients: all.some(({ hasClients }) => hasClients),
      asOfMs: Math.min(...all.map(({ asOfMs }) => asOfMs)),
    };
  }

  /** Faults of the store in words for who asked. */
  async function told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toStatsFault(error);
    }
  }

  const questions = {
    async query(website: Website, body: unknown): Promise<WithAsOf<Answer>> {
      const asked = readQuestion(body, await contextOf(website, body));
      const ready = await readyFor(website, asked.question.period, asked.comparison);
      const answer = await askQuestion(store.ofWebsite(website.id), asked, ready, shared);
      return { ...answer, asOf: toTime(ready.asOfMs) };
    },

    /** Who is there now. Straight from the records: as of now. */
    async live(website: Website): Promise<WithAsOf<Live>> {
      const nowMs = clock.now();
      const live = await askLive(store.ofWebsite(website.id), nowMs);
      return { ...live, asOf: toTime(nowMs) };
    },

    /** The last 24 hours, likewise. */
    async activity(website: Website): Promise<Activity> {
      return await askActivity(store.ofWebsite(website.id), clock.now());
    },

    async bots(website: Website, body: unknown): Promise<WithAsOf<Bots>> {
      const bots = await askBots(store.ofWebsite(website.id), body, await contextOf(website, body));
      return { ...bots, asOf: toTime(clock.now()) };
    },

    /** A report over the visits of whole days. */
    async report<Input extends { period: Period }, Result extends object>(
      website: Website,
      body: unknown,
      read: (body: unknown, context: QuestionContext) => Input,
      ask: (of: WebsiteStore, input: Input, builds: readonly string[]) => Promise<Result>,
    ): Promise<WithAsOf<Result & { period: Period }>> {
      const input = read(body, await contextOf(website, body));
      const ready = await readyFor(website, input.period);
      const result = await ask(store.ofWebsite(website.id), input, ready.builds);
      return { period: input.period, ...result, asOf: toTime(ready.asOfMs) };
    },
  };

  return {
    query: (website: Website, body: unknown) => told(() => questions.query(website, body)),
    live: (website: Website) => told(() => questions.live(website)),
    activity: (website: Website) => told(() => questions.activity(website)),
    bots: (website: Website, body: unknown) => told(() => questions.bots(website, body)),
    funnel: (website: Website, body: unknown): Promise<WithAsOf<FunnelResult & { period: Period }>> =>
      told(() => questions.report(website, body, readFunnel, askFunnel)),
    retention: (website: Website, body: unknown): Promise<WithAsOf<RetentionResult & { period: Period }>> =>
      told(() => questions.report(website, body, readRetention, askRetention)),
    paths: (website: Website, body: unknown): Promise<WithAsOf<PathsResult & { period: Period }>> =>
      told(() => questions.report(website, body, readPaths, askPaths)),
  };
}
