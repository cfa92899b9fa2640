import { useEffect, useState } from 'preact/hooks';
import { useAnalytics } from '../analytics-context.ts';
import type { AnswerStatusState } from './create-answer-status.ts';

/** What the answers tell besides their numbers, as it changes. */
export function useAnswerStatus(): AnswerStatusState {
  const { status } = useAnalytics().asking;
  const [state, setState] = useState(status.state);
  useEffect(() => {
    setState(status.state());
    return status.listen(setState);
  }, [status]);
  return state;
}
