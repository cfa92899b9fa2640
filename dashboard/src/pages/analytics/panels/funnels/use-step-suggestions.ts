import type { Questions } from '@trackside/contract/stats/questions.ts';
import { useEffect, useState } from 'preact/hooks';
import { useAnalytics } from '../../analytics-context.ts';

export type StepSuggestions = { pages: readonly string[]; events: readonly string[] };

/**
 * Suggests recent pages and events, the most frequent first. Without suggestions, the fields still take any
 * text.
 */
export function useStepSuggestions(): StepSuggestions {
  const { asker } = useAnalytics();
  const [suggestions, setSuggestions] = useState<StepSuggestions>({ pages: [], events: [] });
  useEffect(() => {
    const aborter = new AbortController();
    async function ask(dimension: 'page' | 'event', member: keyof StepSuggestions): Promise<void> {
      const question: Questions['query'] = { period: '90d', dimensions: [dimension], limit: 200 };
      const answer = await asker.ask('query', question, aborter.signal);
      if (aborter.signal.aborted || !answer.isOk) return;
      const names = answer.value.rows.map(({ dimensions }) => dimensions?.[dimension] ?? '');
      setSuggestions((last) => ({ ...last, [member]: names.filter((name) => name !== '') }));
    }
    // An aborted question rejects, but nobody waits for it anymore.
    void Promise.allSettled([ask('page', 'pages'), ask('event', 'events')]);
    return () => aborter.abort();
  }, [asker]);
  return suggestions;
}
