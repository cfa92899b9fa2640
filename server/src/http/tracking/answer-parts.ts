import type { Allowance } from '../../intake/contingent/contingent.ts';
import type { Refusal, RefusalReason } from '../../intake/refusal.ts';

export const codeOf: Record<RefusalReason, number> = {
  unauthorized: 401,
  malformed: 400,
  'contingent-used-up': 429,
  'control-away': 503,
  'no-salt': 503,
  'journal-full': 503,
  'journal-stalled': 503,
  'journal-closed': 503,
  'journal-broken': 503,
  'worker-away': 503,
  'store-away': 503,
  'node-away': 503,
  'batches-full': 503,
  internal: 503,
};

export const internalRetrySeconds = 5;

const retrySeconds: Partial<Record<RefusalReason, number>> = {
  'control-away': 5,
  'no-salt': 2,
  'journal-full': 30,
  'journal-stalled': 5,
  'journal-closed': 2,
  'journal-broken': 2,
  'worker-away': 2,
  'store-away': 5,
  'node-away': 2,
  'batches-full': 2,
  internal: internalRetrySeconds,
};

/** Returns after how many seconds it makes sense to send a refused record again, if ever. */
export function retryAfterSeconds(
  reason: RefusalReason,
  allowance: Allowance | undefined,
): number | undefined {
  return reason === 'contingent-used-up' ? allowance?.secondsToReset : retrySeconds[reason];
}

/** Whether a record that is refused may be counted all the same. */
export const isUnsure = (refusal: Refusal): boolean => 'outcome' in refusal && refusal.outcome === 'unknown';

/** Header names and values in turn, as writeHead takes them: on the hot path, cheaper than an object. */
export function contingentHeaders(allowance: Allowance | undefined): string[] {
  if (allowance === undefined) return [];
  return [
    'Contingent-Limit',
    String(allowance.limit),
    'Contingent-Remaining',
    String(allowance.remaining),
    'Contingent-Reset',
    String(allowance.secondsToReset),
  ];
}
