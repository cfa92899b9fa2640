import type { Period } from '@trackside/contract/stats/answers.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type AskDays, createAskDays } from '../cache/ask-days.ts';
import { type AskLists, createAskLists, usualListLimits } from '../cache/ask-lists.ts';
import { createSharedWork } from '../cache/share-work.ts';
import type { ReadyDays } from '../days/keep-days.ts';
import type { Question } from '../question/question.ts';
import { askRollups } from '../sql/ask-rollups.ts';
import type { Counted } from '../sql/ask-visits.ts';
import { askVisitsTogether } from '../sql/ask-visits-together.ts';
import { planScreen, type Step } from './plan-screen.ts';

export type Answered = Counted & { from: 'rollups' | 'visits' };

/** What the questions of many screens have in common: sums in memory, and what is under way. */
export type Sources = {
  askLists: AskLists;
  askDays: AskDays;
  shareVisits: ReturnType<typeof createSharedWork<Counted[]>>;
};

export function createSources(limits = usualListLimits): Sources {
  return {
    askLists: createAskLists(limits),
    askDays: createAskDays(),
    shareVisits: createSharedWork<Counted[]>(),
  };
}

/** What the questions of one request are answered from. */
export type Screen = {
  /** Gives up when who asks has gone. */
  store: WebsiteStore;
  /** The builds of a period that the screen was opened for. */
  ready(period: Period): Promise<ReadyDays>;
  /** The numbers for a question: those that the screen was opened for are counted together, any other alone. */
  count(question: Question): Promise<Answered>;
};

export type ScreenParts = {
  store: WebsiteStore;
  sources: Sources;
  readyAll: (periods: readonly Period[]) => readonly Promise<ReadyDays>[];
  signal: AbortSignal | undefined;
};

/**
 * Begins to answer the questions of a request as a whole: one look at the days of all periods, and for the questions of each
 * period one statement for all that read the same. None waits for what only another needs.
 */
export function openScreen(
  { store, sources, readyAll, signal }: ScreenParts,
  { periods, questions }: { periods: readonly Period[]; questions: readonly Question[] },
): Screen {
  const bySpan = new Map(periods.map((period) => [spanOf(period), period]));
  const looks = readyAll([...bySpan.values()]);
  const readyOf = new Map([...bySpan.keys()].map((span, at) => [span, looks[at]!]));
  const planned = new Map<Question, Promise<Answered>>();

  async function ready(period: Period): Promise<ReadyDays> {
    const found = await readyOf.get(spanOf(period))!;
    signal?.throwIfAborted();
    return found;
  }

  for (const together of Map.groupBy(questions, ({ period }) => spanOf(period)).values()) {
    const counted = ready(together[0]!.period).then((days) =>
      countTogether(store, together, days, sources, signal),
    );
    for (const [at, question] of together.entries())
      planned.set(
        question,
        counted.then((answers) => answers[at]!),
      );
  }

  async function countAlone(question: Question): Promise<Answered> {
    return await countTogether(store, [question], await ready(question.period), sources, signal)[0]!;
  }

  return {
    store: store.until(signal),
    ready,
    async count(question) {
      const answered = await (planned.get(question) ?? countAlone(question));
      if (answered.rows.length > 0 || question.offset === 0) return answered;
      // Behind the last row there is none that could tell how many there are.
      const { totalRows } = await countAlone({ ...question, offset: 0, limit: 1 });
      return { ...answered, totalRows };
    },
  };
}

const spanOf = ({ from, to }: Period) => `${from} ${to}`;

/** The numbers for questions about the same days, each as soon as its source has them. */
export function countTogether(
  store: WebsiteStore,
  questions: readonly Question[],
  ready: ReadyDays,
  sources: Sources,
  signal?: AbortSignal,
): Promise<Answered>[] {
  const answers = new Map<Question, Promise<Answered>>();
  for (const step of planScreen(questions, ready.hasClients)) {
    const from = step.source === 'visits' ? 'visits' : 'rollups';
    const counted = ask(store, step, ready, sources, signal);
    for (const [at, question] of step.questions.entries())
      answers.set(
        question,
        counted.then((all) => ({ from, ...all[at]! })),
      );
  }
  return questions.map((question) => answers.get(question)!);
}

async function ask(
  store: WebsiteStore,
  { source, questions }: Step,
  { days, builds, hasClients }: ReadyDays,
  sources: Sources,
  signal: AbortSignal | undefined,
): Promise<Counted[]> {
  switch (source) {
    case 'lists':
      return await sources.askLists(store, questions, days, signal);
    case 'days':
      return [await sources.askDays(store, questions[0]!, days)];
    case 'rollups':
      return [await askRollups(store.until(signal), questions[0]!, builds, hasClients)];
    case 'visits':
      return await sources.shareVisits(
        JSON.stringify([store.websiteId, builds, questions]),
        (untilGone) => askVisitsTogether(store.until(untilGone), questions, builds),
        signal,
      );
  }
}
