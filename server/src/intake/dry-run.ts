import type { CachedWebsite } from '../control/websites/website-cache.ts';
import type { Clock } from '../time/clock.ts';
import { type Contingent, contingentUsedUp } from './contingent/contingent.ts';
import type { RecordSteps } from './create-record-steps.ts';
import { type RecordSummary, summarize } from './record-summary.ts';
import { malformedAs, type Refusal } from './refusal.ts';
import { parse, type RecordKind } from './steps/validate.ts';
import type { Excluded } from './verdict.ts';

/** What Trackside would make of a record. Everything is as it would be stored, so nothing in it is private. */
export type UnderstoodRecord = RecordSummary & {
  /** When it happened, as an ISO text in UTC. */
  occurredAt: string;
  /** The day of the website's statistics that it would count on. */
  day: string;
  host: string;
  query: string;
  channel: string;
  device: string;
};

/** The verdict that a record would get. What was understood of it is missing if the body was refused. */
export type DryRunVerdict = {
  refusal: Refusal | undefined;
  excluded: Excluded | undefined;
  understood: UnderstoodRecord | undefined;
};

export type DryRun = (website: CachedWebsite, kind: RecordKind, body: Buffer) => DryRunVerdict;

/** Reads the header of a dry run. A record must not be stored because its sender wrote `true`. */
export function readDryRun(value: string): Refusal | undefined {
  if (value === '1') return undefined;
  return malformedAs(
    'Trackside-Dry-Run',
    '1',
    'something else',
    ': leave the header out to store the record',
  );
}

/**
 * Takes a record through the steps of intake that change nothing: it takes no place in the contingent, is not
 * written, and is no repeat of another, nor another of it.
 */
export function createDryRun(parts: {
  steps: Pick<RecordSteps, 'validate' | 'exclude' | 'waited' | 'identify' | 'describe'>;
  contingent: Pick<Contingent, 'allowance'>;
  clock: Pick<Clock, 'now'>;
}): DryRun {
  const { steps, contingent, clock } = parts;
  const { validate, exclude, waited, identify, describe } = steps;
  return (website, kind, body) => {
    const parsed = parse(body);
    if ('refused' in parsed) return refuse(parsed);
    const valid = validate(kind, parsed);
    if ('refused' in valid) return refuse(valid);
    const excluded = exclude(website, valid);

    const nowMs = clock.now();
    const waitedMs = waited(valid, nowMs);
    // As for a real record, a rule that excludes it comes before its time and the contingent.
    if (typeof waitedMs !== 'number')
      return excluded === undefined ? refuse(waitedMs) : { ...refuse(undefined), excluded };
    const identified = identify({ website, valid, receivedAtMs: nowMs, waitedMs, place: undefined });
    if ('refused' in identified) return refuse(identified);
    const described = describe(website, valid);
    const { host, query, channel, device } = described;
    const summary = summarize(identified, described);
    const occurredAt = new Date(nowMs - waitedMs).toISOString();
    const understood = { ...summary, occurredAt, day: identified.local.day, host, query, channel, device };
    const isUsedUp = excluded === undefined && contingent.allowance(website, nowMs)?.remaining === 0;
    return { refusal: isUsedUp ? contingentUsedUp(website) : undefined, excluded, understood };
  };
}

const refuse = (refusal: Refusal | undefined): DryRunVerdict => ({
  refusal,
  excluded: undefined,
  understood: undefined,
});
