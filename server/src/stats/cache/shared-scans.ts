import { isDeepStrictEqual } from 'node:util';
import { maxBatch } from '@trackside/contract/stats/limits.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { isList, type Question } from '../question/read-question.ts';
import { askVisitsTogether, type Counted } from '../sql/ask-visits.ts';

/** One statement over the visits, and the questions that it answers. */
type Scan = {
  /** The website and the builds that are read. */
  scope: string;
  questions: Question[];
  /** In the order of the questions. */
  answers: Promise<readonly Counted[]>;
  hasBegun: () => boolean;
  /** How many requests wait for the answers. */
  waiting: number;
  nobodyLeft: AbortController;
};

export type SharedScans = ReturnType<typeof createSharedScans>;

/**
 * Answers questions from the visits, with as few statements as possible. A scan that has not had its turn yet
 * takes in what others ask about the same visits, so questions that have to wait anyway are answered
 * together. Whoever asks exactly what a scan under way answers waits for that scan: builds never change, so
 * the answer is the same. Without this, the last of many people who open one public page would wait for the
 * statements of all others.
 *
 * Whoever goes is let go at once. A scan is given up when nobody waits for it any more.
 */
export function createSharedScans() {
  const scans = new Set<Scan>();

  function begin(store: StoreInTurn, scope: string, asked: readonly Question[], builds: readonly string[]) {
    const questions = [...asked];
    const nobodyLeft = new AbortController();
    let hasBegun = false;
    const answers = store.until(nobodyLeft.signal).inTurn((turn) => {
      hasBegun = true;
      return askVisitsTogether(turn, questions, builds);
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
        // Before the statement has ended: whoever comes now must not get what was given up.
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
    builds: readonly string[],
    signal?: AbortSignal,
  ): Promise<Counted[]> => {
    signal?.throwIfAborted();
    const scope = `${store.websiteId} ${builds.join()}`;
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

/** The place of a question among those of the scan, which takes it in if it is a new one. */
function placeIn({ questions }: Scan, question: Question): number {
  const place = questions.findIndex((one) => isDeepStrictEqual(one, question));
  return place === -1 ? questions.push(question) - 1 : place;
}

/** Whether one statement over the visits can answer both questions. */
export function canScanTogether(one: Question, other: Question): boolean {
  const isAboutSameVisits =
    isDeepStrictEqual(one.period, other.period) &&
    isDeepStrictEqual(one.filters, other.filters) &&
    one.goal === other.goal;
  return isAboutSameVisits && canBeScanned(one) && canBeScanned(other);
}

/** Whether a question can share its statement: it has no more than one value for each visit. */
function canBeScanned(question: Question): boolean {
  const { dimensions, filters, interval } = question;
  if ([...dimensions, ...filters].some(({ dimension }) => dimension === 'visitorType')) return false;
  if (dimensions.length === 0) return interval !== 'minute' && interval !== 'hour';
  return isList(question) && dimensionOf(dimensions[0]!.dimension).level === 'visit';
}
