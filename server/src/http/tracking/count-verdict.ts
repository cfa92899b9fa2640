import type { NotedOutcome, Sender, Tally } from '../../intake/tally/open-tally.ts';
import { shapeOfRefusal } from '../../intake/tally/refused-shape.ts';
import type { Verdict } from '../../intake/verdict.ts';
import { codeOf } from './answer-parts.ts';

/** Calls `then` when a verdict is counted, which has to be on disk before it is answered. */
export type CountVerdict = (sender: Sender, verdict: Verdict, then: () => void) => void;

/** Has the verdicts counted that leave no record behind. An accepted record is counted as it is written. */
export function createCountVerdict(tally: Pick<Tally, 'note'>): CountVerdict {
  return (sender, verdict, then) => {
    const noted = toNoted(verdict);
    if (noted === undefined) then();
    else tally.note(sender, noted, then);
  };
}

/** A 503 is no verdict: the record is sent again. */
function toNoted(verdict: Verdict): NotedOutcome | undefined {
  if ('accepted' in verdict) return undefined;
  if ('repeated' in verdict) return { outcome: 'repeated' };
  if ('excluded' in verdict) return { outcome: 'excluded' };
  if (verdict.refused === 'contingent-used-up') return { outcome: 'over_quota' };
  if (verdict.refused !== 'malformed') return undefined;
  return { outcome: 'refused', shape: shapeOfRefusal(verdict, codeOf.malformed) };
}
