import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import { maxBatch } from '@trackside/contract/stats/limits.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type DayBuild, numbersOf } from '../days/ready-days.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import { dimensionOf, Parameters } from '../question/dimensions.ts';
import { countsSql, neededCounts } from '../question/metrics.ts';
import { isSeries, isTop, type Question } from '../question/read-question.ts';
import {
  askVisits,
  type Counted,
  chosenSql,
  firstDaySql,
  sortedSql,
  type Top,
  toCounted,
  topSql,
} from '../sql/ask-visits.ts';

/** One statement over the visits, and the questions that it answers. */
type Scan = {
  /** The website and the builds that it reads. */
  scope: string;
  questions: Question[];
  /** The answers, in the order of the questions. */
  answers: Promise<readonly Counted[]>;
  hasBegun: () => boolean;
  /** How many requests wait for the answers. */
  waiting: number;
  nobodyLeft: AbortController;
};

type Tops = Record<`top${number}`, Top>;
type SplitRow = { split: string; total: number } & Tops;
/** What the visits are split by for one question, and the SQL for the rows that it wants. */
type Split = { name: string; sql: string; isOptional: boolean; rows: string };

/** A series may not have more than these. */
const maxIntervals = 10_000;

export type SharedScans = ReturnType<typeof createSharedScans>;

/**
 * Answers questions from the visits, with as few statements as possible. A scan that is still waiting for its
 * turn also takes other questions about the same visits, so questions that have to wait anyway are answered
 * together. A question that a running scan already answers waits for that scan: builds never change, so the
 * answer is the same. Without this, the last of many people who open one public page would wait for the
 * statements of all others.
 *
 * A client that disconnects stops waiting immediately. A scan is stopped when nobody is waiting for it
 * anymore.
 */
export function createSharedScans() {
  const scans = new Set<Scan>();

  function begin(store: StoreInTurn, scope: string, asked: readonly Question[], builds: readonly DayBuild[]) {
    const questions = [...asked];
    const nobodyLeft = new AbortController();
    let hasBegun = false;
    const answers = store.withSignal(nobodyLeft.signal).inTurn((turn) => {
      hasBegun = true;
      return scanVisits(turn, questions, builds);
    });
    const scan: Scan = { scope, questions, answers, hasBegun: () => hasBegun, waiting: 0, nobodyLeft };
    const end = () => scans.delete(scan);
    answers.then(end, end);
    scans.add(scan);
    return scan;
  }

  function waitFor(scan: Scan, signal: AbortSignal | undefined): Promise<readonly Counted[]> {
    scan.waiting += 1;
    if (signal === undefined) return scan.answers;
    return new Promise((resolve, reject) => {
      const leave = () => {
        scan.waiting -= 1;
        reject(signal.reason);
        if (scan.waiting > 0) return;
        // This happens before the statement has ended: a new question must not join a scan that was stopped.
        scans.delete(scan);
        scan.nobodyLeft.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      scan.answers.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  /** Answers questions that one statement can answer. */
  return async (
    store: StoreInTurn,
    asked: readonly Question[],
    builds: readonly DayBuild[],
    signal?: AbortSignal,
  ): Promise<Counted[]> => {
    signal?.throwIfAborted();
    const scope = `${store.websiteId} ${builds.flatMap(numbersOf).join()}`;
    const known = scans.values().find((scan) => scan.scope === scope && canAnswer(scan, asked));
    const scan = known ?? begin(store, scope, asked, builds);
    const places = asked.map((question) => placeIn(scan, question));
    const answers = await waitFor(scan, signal);
    return places.map((place) => answers[place]!);
  };
}

function canAnswer({ questions, hasBegun }: Scan, asked: readonly Question[]): boolean {
  const more = asked.filter((question) => !questions.some((one) => isDeepStrictEqual(one, question)));
  if (more.length === 0) return true;
  const hasRoom = questions.length + more.length <= maxBatch;
  return !hasBegun() && hasRoom && more.every((question) => canScanTogether(questions[0]!, question));
}

/** Returns the place of a question in the scan, which takes it in if it is a new one. */
function placeIn({ questions }: Scan, question: Question): number {
  const place = questions.findIndex((one) => isDeepStrictEqual(one, question));
  return place === -1 ? questions.push(question) - 1 : place;
}

/**
 * Chooses the visits once and counts them for all questions: the whole, a series, the top of several
 * dimensions. That takes hardly longer than for one of them.
 */
async function scanVisits(
  store: WebsiteStore,
  questions: readonly Question[],
  builds: readonly DayBuild[],
): Promise<Counted[]> {
  const [only, ...others] = questions;
  if (others.length === 0) return [await askVisits(store, only!, builds)];
  const parameters = new Parameters();
  const splits = questions.map(splitOf);
  const keys = [...new Map(splits.map((split) => [split.name, split])).values()].map((split, at) => ({
    ...split,
    key: `key${at}`,
  }));
  const needed = new Set(questions.flatMap((question) => [...neededCounts(question)]));
  const wanted = [...new Set(splits.map(({ rows }) => rows))];
  const optional = keys.filter(({ isOptional }) => isOptional).map(({ name }) => name);
  const named = keys.map(({ key, sql }) => ({ name: key, sql, level: 'visit' as const, arrays: [] }));
  // The store counts for all keys in one pass, each with its own table and in its own type, so nothing is
  // turned into text before it is counted.
  const ofGroup = (textOf: (key: (typeof keys)[number]) => string) =>
    keys.reduce((others, key) => `if(grouping(${key.key}) = 0, ${textOf(key)}, ${others})`, "''");
  const query = `
    select split, count() as total, ${wanted.map((rows, at) => `${rows} as top${at}`).join(', ')}
    from (
      select
        ${ofGroup(({ name }) => `'${name}'`)} as split, ${ofGroup(({ key }) => `toString(${key})`)} as value,
        ${countsSql('ofVisits', { needed, isDifference: questions[0]!.change !== undefined })}
      from (${chosenSql(questions[0]!, builds, parameters, named)})
      group by grouping sets (${keys.map(({ key }) => `(${key})`).join(', ')})
    )
    where value != '' or split not in ${parameters.add('Array(String)', optional)}
    group by split`;
  const found = await store.query<SplitRow>({
    query,
    params: parameters.values,
    settings: { max_threads: 1 },
  });
  const rowOf = new Map(found.map((row) => [row.split, row]));
  return questions.map((question, at) => {
    const row = rowOf.get(splits[at]!.name);
    const top = row?.[`top${wanted.indexOf(splits[at]!.rows)}`] ?? [];
    return toCounted(question, row?.total ?? 0, top);
  });
}

function splitOf({ dimensions, interval, order, limit }: Question): Split {
  const [key] = dimensions;
  if (key === undefined) {
    // All visits are of one website.
    const [name, sql] = interval === undefined ? ['whole', 'website_id'] : [interval, startSql(interval)];
    return { name, sql, isOptional: false, rows: sortedSql(maxIntervals, ['0']) };
  }
  const { sql, isOptional } = dimensionOf(key.dimension);
  return { name: key.dimension, sql, isOptional, rows: topSql({ order, limit }) };
}

function startSql(interval: Interval): string {
  assert(interval !== 'minute' && interval !== 'hour', 'A visit can lie in several hours.');
  return firstDaySql[interval];
}

/** Whether one statement over the visits can answer both questions. */
export function canScanTogether(one: Question, other: Question): boolean {
  const isAboutSameVisits =
    isDeepStrictEqual(one.period, other.period) &&
    isDeepStrictEqual(one.filters, other.filters) &&
    isDeepStrictEqual(one.change, other.change) &&
    isDeepStrictEqual(one.goal, other.goal);
  return isAboutSameVisits && canBeScanned(one) && canBeScanned(other);
}

/** Whether a question can share its statement: it has no more than one value for each visit. */
function canBeScanned(question: Question): boolean {
  const { dimensions, filters, interval, offset } = question;
  if ([...dimensions, ...filters].some(({ dimension }) => dimension === 'visitorType')) return false;
  if (isSeries(question)) return interval !== 'minute' && interval !== 'hour';
  if (dimensions.length === 0) return offset === 0;
  return isTop(question) && dimensionOf(dimensions[0]!.dimension).level === 'visit';
}
