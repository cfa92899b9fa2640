import { useEffect, useState } from 'preact/hooks';
import { useAnalytics } from '../analytics-context.ts';
import type { AnswerStatus } from './create-view-transition.ts';

/** Returns what the answers say besides their numbers, as it changes. */
export function useAnswerStatus(): AnswerStatus {
  const { transition } = useAnalytics().asking;
  const [status, setStatus] = useState(transition.status);
  useEffect(() => {
    setStatus(transition.status());
    return transition.listen(setStatus);
  }, [transition]);
  return status;
}
