import type { WebsiteStore } from '../../store/of-website.ts';
import type { ReadyDays } from '../days/keep-days.ts';
import { type DimensionName, dimensionOf } from '../question/dimensions.ts';
import type { Question } from '../question/question.ts';
import { createAskLists, type ListLimits } from './ask-lists.ts';
import { type Counted, chosenSql, countsOfVisits } from './ask-visits.ts';
import { Parameters } from './parameters.ts';
import type { TakeTurns } from './take-turns.ts';
import { topOfEach } from './top-of-each.ts';

type Waiting = { question: Question; settle: (answer: Promise<Counted>) => void };

export type GatherLists = ReturnType<typeof createGatherLists>;

/** Long enough for the questions of one screen, which wait for the same days and go on together. */
const gatherMs = 1;

/**
 * A screen asks for the top of many dimensions at once. They are answered together: the sums of all are read by one
 * statement, or the visits are chosen once, which takes hardly longer than for one of them alone.
 */
export function createGatherLists(takeTurns: TakeTurns, limits: ListLimits) {
  const groups = new Map<string, Waiting[]>();
  const askLists = createAskLists(limits);

  function ask(
    store: WebsiteStore,
    questions: readonly Question[],
    { days, builds }: ReadyDays,
    from: 'rollups' | 'visits',
  ): Promise<Map<DimensionName, Counted>> {
    if (from === 'rollups') return askLists(store, questions, days);
    return takeTurns(store.websiteId, () => topOfEach(store, questions[0]!, sumsOfVisits(questions, builds)));
  }

  return (
    store: WebsiteStore,
    question: Question,
    ready: ReadyDays,
    from: 'rollups' | 'visits',
  ): Promise<Counted> => {
    const { period, order, limit, filters, goal } = question;
    const key = JSON.stringify([store.websiteId, from, period, order, limit, filters, goal, ready.builds]);
    const { promise, resolve } = Promise.withResolvers<Counted>();
    const waiting = groups.get(key) ?? [];
    waiting.push({ question, settle: resolve });
    if (waiting.length === 1) {
      groups.set(key, waiting);
      setTimeout(() => {
        groups.delete(key);
        const questions = waiting.map((one) => one.question);
        const answers = ask(store, questions, ready, from);
        for (const { question: one, settle } of waiting)
          settle(answers.then((found) => found.get(one.dimensions[0]!.dimension) ?? nothing));
      }, gatherMs);
    }
    return promise;
  };
}

const nothing: Counted = { rows: [], totalRows: 0 };

/** Whether a question is one of those lists: the top of one dimension. */
export function isList({ dimensions, interval, offset, limit, order }: Question): boolean {
  return (
    dimensions.length === 1 &&
    dimensions[0]!.dimension !== 'weekday' &&
    interval === undefined &&
    offset === 0 &&
    limit <= 100 &&
    order.length > 0 &&
    order.every(({ by }) => by !== 'dimension')
  );
}

/** The visits are chosen once, and each counts for its value of every dimension. */
function sumsOfVisits(questions: readonly Question[], builds: readonly string[]) {
  const parameters = new Parameters();
  const names = [...new Set(questions.map(({ dimensions }) => dimensions[0]!.dimension))];
  const optional = names.filter((name) => dimensionOf(name).isOptional);
  const pairs = names.map((name) => `('${name}', toString(${dimensionOf(name).sql}))`);
  const key = { name: 'pairs', sql: `[${pairs.join(', ')}]`, level: 'visit' as const, arrays: [] };
  const sql = `
      select pair.1 as dimension, pair.2 as value, ${countsOfVisits}
      from (${chosenSql(questions[0]!, builds, parameters, [key])})
      array join pairs as pair
      where value != '' or dimension not in ${parameters.add('Array(String)', optional)}
      group by dimension, value`;
  return { sql, parameters, isQuick: false };
}
