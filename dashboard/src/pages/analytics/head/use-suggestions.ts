import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import { useEffect, useState } from 'preact/hooks';
import { useNames } from '#format/names.ts';
import { useAnalytics } from '../analytics-context.ts';
import { dimensions } from '../view/dimensions.ts';
import { periodOf } from '../view/periods.ts';

export type Suggestion = { value: string; label: string; visitors: number };

type Values = { value: string; visitors: number }[];

const pauseMs = 200;
const most = 40;
/** There are few codes, and people search for their names, which only the page knows. */
const mostCoded = 400;

/**
 * Returns the values of a dimension with the most visitors in the period that match the typed text. Undefined
 * until they have loaded. `filters` are the other filters of the view.
 */
export function useSuggestions(
  key: Key,
  search: string,
  filters: readonly Filter[],
): readonly Suggestion[] | undefined {
  const { asker, wanted, today } = useAnalytics();
  const names = useNames();
  const isCoded = dimensions[key.dimension].isCoded ?? false;
  const typed = search.trim();
  const contains = isCoded ? '' : typed;
  const question = {
    period: periodOf(wanted, today),
    filters: [...filters, ...(contains === '' ? [] : [{ ...key, contains }])],
    dimensions: [key],
    metrics: ['visitors'] as const,
    limit: isCoded ? mostCoded : most,
  };
  const asked = JSON.stringify(question);
  const [found, setFound] = useState<{ dimension: string; values: Values }>();

  useEffect(() => {
    const aborter = new AbortController();
    // The first list is requested at once, later ones when typing pauses.
    const timer = setTimeout(
      () => {
        asker.ask('query', question, aborter.signal).then(
          (answer) => {
            const rows = answer.isOk ? answer.value.rows : [];
            const values = rows.map(({ dimensions: of, metrics }) => ({
              value: of[key.dimension] ?? '',
              visitors: metrics.visitors ?? 0,
            }));
            setFound({ dimension: key.dimension, values });
          },
          (error) => {
            if (!aborter.signal.aborted) throw error;
          },
        );
      },
      contains === '' ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [asker, asked]);

  if (found?.dimension !== key.dimension) return undefined;
  const all = found.values.map((one) => ({ ...one, label: names.value(key.dimension, one.value) }));
  const wantedText = typed.toLocaleLowerCase();
  return all.filter(({ label, value }) => `${label}\n${value}`.toLocaleLowerCase().includes(wantedText));
}
