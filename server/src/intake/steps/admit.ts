import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type { Contingent, MonthCount } from '../contingent/contingent.ts';
import type { Refusal } from '../refusal.ts';
import type { Valid } from './validate.ts';

/** A valid record that has its place in the month's contingent; the place is settled or released later. */
export type Admitted = { website: CachedWebsite; valid: Valid; receivedAtMs: number; place: MonthCount };

export function createAdmit(contingent: Contingent) {
  return (website: CachedWebsite, valid: Valid, nowMs: number): Admitted | Refusal => {
    const place = contingent.reserve(website, nowMs);
    if (place !== undefined) return { website, valid, receivedAtMs: nowMs, place };
    return {
      refused: 'contingent-used-up',
      message: `Monthly contingent of ${website.contingent} records is used up until the first of next month, UTC`,
    };
  };
}
