import type { LedgerAnswer } from '@trackside/contract/app/ledger.ts';
import { maxLedgerDays } from '@trackside/contract/app/limits.ts';
import { addDays, dayMs, daysBetween, isDay } from '@trackside/contract/calendar/day.ts';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { Control } from '../../control/open-control.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Clock } from '../../time/clock.ts';
import { toLedger } from './to-ledger.ts';

export type LedgerDays = { from: string; to: string };

const usualDays = 30;

/** Reads the days of a question, or says what is wrong with them. Without any, the last 30 are meant. */
export function readLedgerDays(
  asked: { from?: string | undefined; to?: string | undefined },
  timezone: string,
  nowMs: number,
): LedgerDays | { fault: string } {
  for (const name of ['from', 'to'] as const)
    if (asked[name] !== undefined && !isDay(asked[name]))
      return { fault: `${name}: expected a day such as 2026-11-16` };
  const to = asked.to ?? createLocalTime(timezone)(nowMs).day;
  const from = asked.from ?? addDays(to, 1 - usualDays);
  const days = daysBetween(from, to) + 1;
  if (days < 1) return { fault: 'from: expected a day that is not after to' };
  if (days > maxLedgerDays) return { fault: `from: expected at most ${maxLedgerDays} days, got ${days}` };
  return { from, to };
}

/** Reads what became of everything that was sent to a website, as far as it is written down. */
export async function readLedger(
  control: Pick<Control, 'tallies' | 'websites'>,
  { id, timezone }: Pick<Website, 'id' | 'timezone'>,
  { from, to }: LedgerDays,
  clock: Pick<Clock, 'now'>,
): Promise<LedgerAnswer> {
  // A day more at each end, because the days of the website begin earlier or later.
  const tally = await control.tallies.read(id, Date.parse(from) - dayMs, Date.parse(to) + 2 * dayMs);
  const keys = await control.websites.keyNames(id);
  return await toLedger({ tally, keys, timezone, from, to, nowMs: clock.now() });
}
