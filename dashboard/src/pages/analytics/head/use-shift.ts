import { useRouter } from '#app/routing/router.ts';
import { useAnalytics } from '../analytics-context.ts';
import { shiftPeriod } from '../view/shift-period.ts';
import { readView } from '../view/view-address.ts';

/** Returns a function that moves to the previous or next period. */
export function useShift(): (by: -1 | 1) => void {
  const { today, change } = useAnalytics();
  const router = useRouter();
  return (by) => {
    // Starts from the view in the address rather than the shown one, so that three presses move three
    // periods.
    const period = shiftPeriod(readView(router.place().search).period, today, by);
    if (period !== undefined) change({ period });
  };
}
