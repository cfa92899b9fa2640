import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import type { Fault } from '#api/fault.ts';
import { useFormat } from '#format/format-context.tsx';
import { useNames } from '#format/names.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { BarItem } from '../bar-list.tsx';
import { countedFor, toConverted } from '../goals/counted-for.ts';
import { addressOf } from './address-of.ts';
import { markOf } from './value-looks.tsx';

export type ListRows = {
  rows: BarItem[] | undefined;
  answer: Answers['query'] | undefined;
  /** Why there are no rows. */
  fault: Fault | undefined;
  isBusy: boolean;
  retry: () => void;
};

type Options = {
  limit: number;
  /** How many rows to ask for, when something else needs more of them than the list shows. */
  asked?: number | ((filters: readonly Filter[]) => number);
  /** More filters, in addition to those of the view. */
  filters?: readonly Filter[];
};

/**
 * Asks for the first values of a dimension by a metric, and returns them as rows. Without a key, it asks
 * nothing. Which dimension it is may depend on the filters: then the list of the wanted view is asked for
 * together with the rest of the page, before the page turns to it.
 */
export function useListRows(
  keyOf: Key | undefined | ((filters: readonly Filter[]) => Key),
  metric: MetricName,
  { limit, asked = limit, filters = [] }: Options,
): ListRows {
  const { website, shown } = useAnalytics();
  const toKey = typeof keyOf === 'function' ? keyOf : () => keyOf;
  const names = useNames();
  const format = useFormat();
  const { answer, fault, isBusy, retry } = useAnswer('query', (view, period) => {
    const asks = toKey(view.filters);
    return (
      asks && {
        period,
        filters: [...view.filters, ...filters],
        ...countedFor(view, metric),
        dimensions: [asks.of === undefined ? asks.dimension : asks],
        limit: typeof asked === 'function' ? asked(view.filters) : asked,
      }
    );
  });
  const key = toKey(shown.filters);
  const rows =
    key &&
    answer?.rows.slice(0, limit).map(({ dimensions, metrics }): BarItem => {
      const { dimension } = key;
      const value = dimensions[dimension] ?? '';
      return {
        key: value,
        label: names.value(dimension, value),
        value: metrics[metric] ?? 0,
        ...(metrics.conversions !== undefined && toConverted(metrics, format)),
        before: markOf(dimension, value),
        href: addressOf(dimension, value, website.shownDomain),
      };
    });
  return { rows, answer, fault: rows === undefined ? fault : undefined, isBusy, retry };
}

export type Totals = { visitors: number; events: number };

/**
 * Returns the totals that the shares in lists refer to. Every list asks the same question, so it is sent
 * once.
 */
export function useTotals(): Totals | undefined {
  const { answer } = useAnswer('query', ({ filters }, period) => ({
    period,
    filters,
    metrics: ['visitors', 'events'],
  }));
  const metrics = answer?.rows[0]?.metrics;
  return metrics === undefined ? undefined : { visitors: metrics.visitors ?? 0, events: metrics.events ?? 0 };
}
