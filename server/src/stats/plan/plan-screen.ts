import { isDeepStrictEqual } from 'node:util';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { VisitorsAre } from '@trackside/contract/stats/answers.ts';
import { type AskDays, createAskDays } from '../cache/ask-days.ts';
import { type AskLists, createAskLists, usualListLimits } from '../cache/ask-lists.ts';
import { createKeptScans, type KeptScans } from '../cache/kept-scans.ts';
import { createMatchingShares, type MatchingShares } from '../cache/matching-shares.ts';
import { createMissingShares, type MissingShares } from '../cache/missing-shares.ts';
import type { ReadyDays } from '../days/ready-days.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { isList, type Question } from '../question/read-question.ts';
import { askRollups } from '../sql/ask-rollups.ts';
import type { Counted } from '../sql/ask-visits.ts';
import { createKeptLooks, type LooksOf } from '../sql/kept-looks.ts';
import { canScanTogether, isOfRecords } from '../sql/scan-visits.ts';
import type { StoreInTurn } from './ask-in-turn.ts';
import { countFromSums } from './count-from-sums.ts';
import { countReturning } from './count-returning.ts';
import { isInRollups, isOfDays } from './is-in-rollups.ts';
import { whatVisitorsAre } from './what-visitors-are.ts';

export type Answered = Counted & { from: 'rollups' | 'visits' };

/** What the questions of all screens share: sums in memory, and statements in progress. */
export type Sources = {
  askLists: AskLists;
  askDays: AskDays;
  askVisits: KeptScans;
  sharesOf: MatchingShares;
  missesOf: MissingShares;
  looksOf: LooksOf;
};

export function createSources(limits = usualListLimits): Sources {
  return {
    askLists: createAskLists(limits),
    askDays: createAskDays(),
    askVisits: createKeptScans(limits),
    sharesOf: createMatchingShares(),
    missesOf: createMissingShares(),
    looksOf: createKeptLooks(),
  };
}

/** What the questions of one request are answered from. */
export type Screen = {
  /** Gives up on a question when its client has left. */
  store: StoreInTurn;
  /** Returns the builds of a period that the screen was opened for. */
  ready(period: Period): Promise<ReadyDays>;
  /**
   * Counts what a question asks for. Questions that the screen was opened for are counted together, any other
   * one alone.
   */
  count(question: Question): Promise<Answered>;
  /** Determines how the visitors of a period, or of an interval in it, are counted. */
  visitorsAre(question: Pick<Question, 'period' | 'interval'>): Promise<VisitorsAre>;
};

export type ScreenParts = {
  store: StoreInTurn;
  sources: Sources;
  readyAll: (periods: readonly Period[]) => readonly Promise<ReadyDays>[];
  signal: AbortSignal | undefined;
};

/**
 * Starts to answer the questions of a request as a whole. One look finds the days of all periods, and
 * questions of the same period that read the same share a statement. No question waits for what only another
 * one needs.
 */
export function openScreen(
  { store, sources, readyAll, signal }: ScreenParts,
  { periods, questions }: { periods: readonly Period[]; questions: readonly Question[] },
): Screen {
  const bySpan = new Map(periods.map((period) => [spanOf(period), period]));
  const looks = readyAll([...bySpan.values()]);
  const readyOf = new Map([...bySpan.keys()].map((span, at) => [span, looks[at]!]));
  const planned = new Map<Question, Promise<Answered>>();
  // A question that fails early never asks for the rest, whose failures must not end the process.
  const mayFailUnseen = (promise: Promise<unknown>) => void promise.catch(() => {});
  for (const look of looks) mayFailUnseen(look);

  async function ready(period: Period): Promise<ReadyDays> {
    const found = await readyOf.get(spanOf(period))!;
    signal?.throwIfAborted();
    return found;
  }

  for (const together of Map.groupBy(questions, ({ period }) => spanOf(period)).values()) {
    const counted = ready(together[0]!.period).then((days) =>
      countTogether(store, together, days, sources, signal),
    );
    for (const [at, question] of together.entries()) {
      const answer = counted.then((answers) => answers[at]!);
      mayFailUnseen(answer);
      planned.set(question, answer);
    }
  }

  async function countAlone(question: Question): Promise<Answered> {
    return await countTogether(store, [question], await ready(question.period), sources, signal)[0]!;
  }

  return {
    store: store.withSignal(signal),
    ready,
    async count(question) {
      const answered = await (planned.get(question) ?? countAlone(question));
      if (answered.rows.length > 0 || question.offset === 0) return answered;
      // A page behind the last row is empty, so it does not tell how many rows there are.
      const { totalRows } = await countAlone({ ...question, offset: 0, limit: 1 });
      return { ...answered, totalRows };
    },
    async visitorsAre({ period, interval }) {
      const { days, mayBeGone } = await ready(period);
      return await whatVisitorsAre(days, interval, async () => {
        const { rows } = await sources.askDays(store.unless(mayBeGone), { ...wholeQuestion, period }, days);
        return rows[0]!.counts.visitors;
      });
    },
  };
}

const wholeQuestion = {
  metrics: ['visitors' as const],
  dimensions: [],
  filters: [],
  order: [],
  limit: 1,
  offset: 0,
};

const spanOf = ({ from, to }: Period) => `${from} ${to}`;

/** Counts what questions about the same days ask for. Each promise resolves as soon as its source answers. */
export function countTogether(
  store: StoreInTurn,
  questions: readonly Question[],
  ready: ReadyDays,
  sources: Sources,
  signal?: AbortSignal,
): Promise<Answered>[] {
  const reading = store.unless(ready.mayBeGone);
  const counted = findFew(reading, questions, ready, sources).then((few) => {
    const answers = new Map<Question, Promise<Answered>>();
    for (const step of planScreen(questions, ready.mayRepeat, few)) {
      const from = step.source === 'visits' ? 'visits' : 'rollups';
      const found = ask(reading, step, ready, sources, signal);
      for (const [at, question] of step.questions.entries())
        answers.set(
          question,
          found.then((all) => ({ from, ...all[at]! })),
        );
    }
    return answers;
  });
  return questions.map((question) => counted.then((answers) => answers.get(question)!));
}

/**
 * If more visits than this match, counting records along with them takes longer than counting them
 * separately.
 */
const fewVisits = 0.4;

/** Finds out which filters match few visits, where that makes a difference. */
async function findFew(
  store: StoreInTurn,
  questions: readonly Question[],
  { days, mayRepeat }: ReadyDays,
  { sharesOf }: Sources,
): Promise<Filters[]> {
  const read = questions.filter((question) => sourceOf(question, mayRepeat) === 'visits');
  const found: Promise<Filters[]>[] = [];
  for (const { filters } of read.filter(isOfRecords)) {
    const isOfVisits = filters.every(({ dimension }) => dimensionOf(dimension).level === 'visit');
    const others = read.filter((other) => isDeepStrictEqual(other.filters, filters));
    if (isOfVisits || others.length === 1) continue;
    found.push(sharesOf(store, filters, days).then((share) => (share <= fewVisits ? [filters] : [])));
  }
  return (await Promise.all(found)).flat();
}

async function ask(
  store: StoreInTurn,
  { source, questions }: Step,
  ready: ReadyDays,
  sources: Sources,
  signal: AbortSignal | undefined,
): Promise<Counted[]> {
  const { days, builds, mayRepeat } = ready;
  switch (source) {
    case 'lists':
      return await sources.askLists(store, questions, days, signal);
    case 'days':
      return [await sources.askDays(store, questions[0]!, days)];
    case 'rollups':
      return [await askRollups(store.withSignal(signal), questions[0]!, builds, false)];
    case 'returning':
      return await sources.askVisits(store, questions, ready, signal, countReturning(sources));
    case 'visits': {
      const canSubtract = !mayRepeat && questions[0]!.filters.length > 0;
      const count = canSubtract ? countFromSums(sources) : undefined;
      return await sources.askVisits(store, questions, ready, signal, count);
    }
  }
}

/**
 * Where an answer comes from.
 * - lists: the top of a dimension, from sums that are kept in memory;
 * - days: sums of whole days, which are kept in memory too;
 * - rollups: anything else that the sums of days can tell, from the store;
 * - returning: sums of days, less the visitors with a ClientId who came on several of them;
 * - visits: all the rest.
 */
export type Source = 'lists' | 'days' | 'rollups' | 'returning' | 'visits';

type Filters = Question['filters'];

/** Questions that their source answers together. */
export type Step = { source: Source; questions: Question[] };

/**
 * Chooses a source for each question about the same days, and joins those that one statement can answer.
 * `few` are the filters that are known to match few visits.
 */
export function planScreen(
  questions: readonly Question[],
  mayRepeat: boolean,
  few: readonly Filters[] = [],
): Step[] {
  const steps: Step[] = [];
  for (const question of questions) {
    const source = sourceOf(question, mayRepeat);
    const known = steps.find((step) => step.source === source && canJoin(step, question, few));
    if (known === undefined) steps.push({ source, questions: [question] });
    else known.questions.push(question);
  }
  return steps;
}

function sourceOf(question: Question, mayRepeat: boolean): Source {
  if (mayRepeat && isReturning(question)) return 'returning';
  if (!isInRollups(question, mayRepeat)) return 'visits';
  if (isList(question) && question.filters.length === 0) return 'lists';
  return isOfDays(question) ? 'days' : 'rollups';
}

/** Whether days can be added up for a question, except that visitors of several days would count on each of them. */
function isReturning(question: Question): boolean {
  const isOfSeveral = isOfDays(question) && question.interval !== 'day';
  if (question.filters.length > 0 || !(isList(question) || isOfSeveral)) return false;
  return isInRollups(question, false);
}

function canJoin({ source, questions }: Step, other: Question, few: readonly Filters[]): boolean {
  const first = questions[0]!;
  switch (source) {
    case 'lists':
      return isDeepStrictEqual(first.order, other.order) && first.limit === other.limit;
    case 'returning':
      return [first, other].every(({ interval, offset }) => interval === undefined && offset === 0);
    case 'visits':
      return canScanTogether(
        first,
        other,
        few.some((filters) => isDeepStrictEqual(filters, first.filters)),
      );
    default:
      return false;
  }
}
