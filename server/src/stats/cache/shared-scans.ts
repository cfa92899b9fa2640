import { isDeepStrictEqual } from 'node:util';
import { maxBatch } from '@trackside/contract/stats/limits.ts';
import { type DayBuild, numbersOf, recordsOf } from '../days/ready-days.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import type { Question } from '../question/read-question.ts';
import type { Counted } from '../sql/ask-visits.ts';
import { areEntries, canScanTogether, groupScans, scanVisits } from '../sql/scan-visits.ts';
import type { ListLimits } from './ask-lists.ts';

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
export function createSharedScans({ manyRecords }: Pick<ListLimits, 'manyRecords'>) {
  const scans = new Set<Scan>();

  function begin(store: StoreInTurn, scope: string, asked: readonly Question[], builds: readonly DayBuild[]) {
    const questions = [...asked];
    const nobodyLeft = new AbortController();
    let hasBegun = false;
    const scanInTurn = () =>
      store.withSignal(nobodyLeft.signal).inTurn((turn) => {
        hasBegun = true;
        return scanVisits(turn, questions, builds, recordsOf(builds) >= manyRecords);
      });
    // Not at once, because questions of the same screen that are about to be asked may join this scan.
    const answers = Promise.resolve().then(scanInTurn);
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
  async function answer(
    store: StoreInTurn,
    asked: readonly Question[],
    builds: readonly DayBuild[],
    signal: AbortSignal | undefined,
  ): Promise<Counted[]> {
    const scope = `${store.websiteId} ${builds.flatMap(numbersOf).join()}`;
    const known = scans.values().find((scan) => scan.scope === scope && canAnswer(scan, asked));
    const scan = known ?? begin(store, scope, asked, builds);
    const places = asked.map((question) => placeIn(scan, question));
    const answers = await waitFor(scan, signal);
    return places.map((place) => answers[place]!);
  }

  return async (
    store: StoreInTurn,
    asked: readonly Question[],
    builds: readonly DayBuild[],
    signal?: AbortSignal,
  ): Promise<Counted[]> => {
    signal?.throwIfAborted();
    const groups = groupScans(asked);
    const answers = await Promise.all(groups.map((group) => answer(store, group, builds, signal)));
    return asked.map((question) => {
      const at = groups.findIndex((group) => group.includes(question));
      return answers[at]![groups[at]!.indexOf(question)]!;
    });
  };
}

function canAnswer({ questions, hasBegun }: Scan, asked: readonly Question[]): boolean {
  const more = asked.filter((question) => !questions.some((one) => isDeepStrictEqual(one, question)));
  if (more.length === 0) return true;
  const hasRoom = questions.length + more.length <= maxBatch;
  // A statement that already counts records along with visits can count more of them.
  const areFew = areEntries(questions);
  return !hasBegun() && hasRoom && more.every((question) => canScanTogether(questions[0]!, question, areFew));
}

/** Returns the place of a question in the scan, which takes it in if it is a new one. */
function placeIn({ questions }: Scan, question: Question): number {
  const place = questions.findIndex((one) => isDeepStrictEqual(one, question));
  return place === -1 ? questions.push(question) - 1 : place;
}
