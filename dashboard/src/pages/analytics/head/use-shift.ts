import { useRouter } from '#app/routing/router-context.ts';
import { useAnalytics } from '../analytics-context.ts';
import { shiftPeriod } from '../view/shift-period.ts';
import { readView } from '../view/view-address.ts';

/** Goes to the period before or after. */
export function useShift(): (by: -1 | 1) => void {
  const { today, change } = useAnalytics();
  const router = useRouter();
  return (by) => {
    // From what the address says, not from what is there yet: pressing three times goes three steps.
    const period = shiftPeriod(readView(router.place().search).period, today, by);
    if (period !== undefined) change({ period });
  };
}
