import type { LedgerCounts } from '#api/shapes.ts';

type Lost = Pick<LedgerCounts, 'refused' | 'missing' | 'overQuota'>;

/** Returns how many records should have been counted, but weren't. Those that rules exclude are no loss. */
export const lostOf = ({ refused, missing, overQuota }: Lost): number => refused + missing + overQuota;

/** What share of a day may be lost for each color: nothing, up to 1%, up to 5%. */
const steps = [0, 0.01, 0.05];

/** Returns the color of a day, from 0 for nothing lost to 3, or undefined if nothing was sent. */
export function levelOf(counts: (Lost & Pick<LedgerCounts, 'sent'>) | undefined): number | undefined {
  if (counts === undefined || counts.sent === 0) return undefined;
  const share = lostOf(counts) / counts.sent;
  const level = steps.findIndex((upTo) => share <= upTo);
  return level < 0 ? steps.length : level;
}
