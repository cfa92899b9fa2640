import { type DayState, mayChange } from './read-days.ts';

/** When a day that may still change is not built as a whole each time. */
export type LargeDays = {
  /** A day with fewer records is quick to build as a whole. */
  fromRecords: number;
  /**
   * A change adds at most this share of the day's records to the previous one, or by this number if that is
   * more. Beyond that, it would hardly take less time than the day as a whole.
   */
  change: { share: number; least: number };
  /** A base is rebuilt when its change has more than this share of the day's records, within limits. */
  renewal: { share: number; least: number; most: number };
  /**
   * If recent days have this many visitors with a ClientId, each counted once a day, those who came back are
   * determined ahead of time. With fewer, their visits can be counted quickly.
   */
  lookFromClients: number;
};

export const usualLargeDays: LargeDays = {
  fromRecords: 30_000,
  change: { share: 0.1, least: 50_000 },
  renewal: { share: 0.05, least: 20_000, most: 100_000 },
  lookFromClients: 10_000,
};

/** Whether a day gets a base when it is built as a whole. */
export function isLarge({ day, records }: DayState, today: string, { fromRecords }: LargeDays): boolean {
  return mayChange(day, today) && records >= fromRecords;
}

/** Whether a change can bring a day up to date. */
export function canChange({ day, records, built }: DayState, today: string, { change }: LargeDays): boolean {
  if (built?.base === undefined || !mayChange(day, today)) return false;
  return records - built.records <= Math.max(change.share * records, change.least);
}

/** Whether a day can probably be brought up to date in a moment. */
export function isQuick(state: DayState, today: string, largeDays: LargeDays): boolean {
  if (!mayChange(state.day, today)) return false;
  return state.records < largeDays.fromRecords || canChange(state, today, largeDays);
}

/** Whether the base of a day should be rebuilt, because its change has grown. */
export function isRenewalDue({ records, built }: DayState, { renewal }: LargeDays): boolean {
  if (built?.base === undefined) return false;
  const { share, least, most } = renewal;
  return records - built.base.records > Math.min(Math.max(share * records, least), most);
}
