import { inSlices } from '../../concurrency/in-slices.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type { Entry } from '../../journal/group-commit.ts';
import type { Journal } from '../../journal/open-journal.ts';
import type { Clock } from '../../time/clock.ts';
import type { Contingent } from '../contingent/contingent.ts';
import type { MonthCount } from '../contingent/month-count.ts';
import { failures, type RecordSteps } from '../create-record-steps.ts';
import type { Described } from '../describe/create-describer.ts';
import {
  type AskHolders,
  type ClaimAnswer,
  type FirstAttempt,
  type IdempotencyIndex,
  otherBody,
  otherBodyInBatch,
} from '../idempotency/idempotency-index.ts';
import type { Refusal } from '../refusal.ts';
import type { Valid } from '../steps/validate.ts';
import type { Sender } from '../tally/open-tally.ts';
import type { Excluded, OnVerdict, Verdict } from '../verdict.ts';
import type { BatchRecord } from './read-batch.ts';

/** Whose batch it is, and whether its client says that it sends all of it for the first time. */
export type BatchSender = Omit<Sender, 'sequence'> & { isFirst: boolean };

/** A record that has yet to be written. */
type Pending = {
  sender: Sender;
  valid: Valid;
  described: Described;
  excluded: Excluded | undefined;
  first: FirstAttempt | undefined;
  answer: OnVerdict;
  /** What the other nodes have said, where they had to be asked. */
  said?: ClaimAnswer | 'away';
};

type Judged = Refusal | { valid: Valid; described: Described; excluded: Excluded | undefined };

/**
 * Takes the records of a batch through the same steps as those that come alone. What takes long is done in
 * slices. From the contingent on, all records take their steps in one go: they share one time, no other record
 * comes between them, and they are written together.
 */
export function createTakeBatch(parts: {
  steps: RecordSteps;
  contingent: Contingent;
  journal: Pick<Journal, 'appendTogether'>;
  idempotencyIndex: Pick<IdempotencyIndex, 'begin'>;
  askHolders: AskHolders | undefined;
  clock: Clock;
}) {
  const { steps, contingent, journal, idempotencyIndex, askHolders, clock } = parts;

  /** Calls `onVerdict` once for each record. If it rejects, those without a verdict were not accepted. */
  async function takeBatch(
    { website, apiKey, release, isFirst }: BatchSender,
    records: readonly BatchRecord[],
    onVerdict: (at: number, verdict: Verdict) => void,
  ): Promise<void> {
    const judged = await inSlices(judge(website, records));
    const begun: Pending[] = [];
    try {
      for (const [at, { key, sequence, kind, body }] of records.entries()) {
        const own = judged[at]!;
        const answer: OnVerdict = (verdict) =>
          onVerdict(at, verdict === otherBody ? otherBodyInBatch : verdict);
        if ('refused' in own) {
          answer(own);
          continue;
        }
        const first = key && idempotencyIndex.begin({ website, key, kind, body, isFirst }, answer);
        // A repeat is answered together with the first record that came with its key, in this batch or before.
        if (key !== undefined && first === undefined) continue;
        const sender = { website, apiKey, sequence, release };
        begun.push({ ...own, sender, first, answer: first?.answer ?? answer });
      }
      const free = askHolders === undefined ? begun : await leaveTaken(askHolders, begun);
      await admitAndWrite(website, leaveExcluded(free));
    } catch (error) {
      for (const { first } of begun) first?.giveUp();
      throw error;
    }
  }

  function* judge(website: CachedWebsite, records: readonly BatchRecord[]): Generator<void, Judged[]> {
    const judged: Judged[] = [];
    for (const { kind, parsed } of records) {
      const valid = steps.validate(kind, parsed);
      if ('refused' in valid) judged.push(valid);
      else {
        const described = steps.describe(website, valid);
        judged.push({ valid, described, excluded: steps.exclude(website, valid) });
      }
      yield;
    }
    return judged;
  }

  /** Answers the records that other nodes have, and returns the rest. */
  async function leaveTaken(ask: AskHolders, begun: readonly Pending[]): Promise<readonly Pending[]> {
    const unsure = begun.filter(({ first }) => first?.mustAsk);
    await Promise.all(
      unsure.map(async (pending) => {
        pending.said = await ask(pending.first!).catch(() => 'away' as const);
      }),
    );
    return begun.filter(({ said, answer }) => {
      if (said === undefined || said === 'free') return true;
      if (said === 'taken') answer({ repeated: true });
      else if (said === 'other-body') answer(otherBody);
      else answer({ refused: 'node-away', message: failures['node-away'] });
      return false;
    });
  }

  function leaveExcluded(free: readonly Pending[]): readonly Pending[] {
    return free.filter(({ excluded, answer }) => {
      if (excluded !== undefined) answer(excluded);
      return excluded === undefined;
    });
  }

  /** Asks until it is known how many of the records the contingent has room for, and writes those. */
  async function admitAndWrite(website: CachedWebsite, free: readonly Pending[]): Promise<void> {
    let nowMs = clock.now();
    while (contingent.mustAsk(website, nowMs, free.length)) {
      if (!(await contingent.ask(website, nowMs, free.length))) {
        for (const { answer } of free) answer({ refused: 'control-away', message: failures['control-away'] });
        return;
      }
      nowMs = clock.now();
    }
    // Nothing is awaited in between, because others could take what was granted.
    write(website, free, nowMs);
  }

  function write(website: CachedWebsite, free: readonly Pending[], nowMs: number): void {
    const entries: Entry[] = [];
    const places: MonthCount[] = [];
    try {
      for (const { sender, valid, described, first, answer, said } of free) {
        // Another node may have claimed the key while the others of the batch were asked about.
        if (said === 'free' && !first!.goOn()) {
          answer({ refused: 'node-away', message: failures['node-away'] });
          continue;
        }
        const waitedMs = steps.waited(valid, nowMs);
        if (typeof waitedMs !== 'number') {
          answer(waitedMs);
          continue;
        }
        const admitted = steps.admit(website, valid, nowMs, waitedMs);
        if ('refused' in admitted) {
          answer(admitted);
          continue;
        }
        places.push(admitted.place);
        const identified = steps.identify(admitted);
        if ('refused' in identified) {
          contingent.release(places.pop()!);
          answer(identified);
          continue;
        }
        entries.push(steps.toEntry(sender, identified, described, answer, first?.hash));
      }
    } catch (error) {
      for (const place of places) contingent.release(place);
      throw error;
    }
    journal.appendTogether(entries);
  }

  return takeBatch;
}
