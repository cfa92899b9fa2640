import { intervalsOf } from './intervals.ts';
import type { View } from './view.ts';

/** The changed view. An interval that does not fit the new period is given up. */
export function changeView(view: View, change: Partial<View>, today: string): View {
  const changed = { ...view, ...change };
  const { period, interval } = changed;
  const fits = interval === undefined || intervalsOf(period, today).includes(interval);
  return fits ? changed : { ...changed, interval: undefined };
}

/** As it is answered: before everything there is nothing to compare with. */
export const effectiveView = (view: View): View =>
  view.period === 'all' && view.compare === 'previousPeriod' ? { ...view, compare: 'none' } : view;
