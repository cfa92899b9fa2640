import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { ComponentChildren } from 'preact';
import { useNames } from '#format/names.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { filteredValues, toggleFilter } from '../../view/filters.ts';
import { BarList } from '../bar-list.tsx';
import { ListFault } from './list-fault.tsx';
import { listQuestion } from './list-question.ts';
import type { Listing } from './listing.ts';
import { toItems } from './to-items.tsx';
import { useTotals } from './use-totals.ts';

type Props = {
  listing: Listing;
  /** So many rows are shown. */
  limit: number;
  /** So many are asked for: more than are shown where something else needs them too. */
  asked?: number;
  /** Shows the same rows in another way, above the list. */
  above?: ((answer: Answers['query'] | undefined) => ComponentChildren) | undefined;
};

/** The first values of a dimension. Pressing one filters the page by it; pressing it again, no more. */
export function DimensionList({ listing, limit, asked = limit, above }: Props) {
  const { website, wanted, shown, change } = useAnalytics();
  const names = useNames();
  const totals = useTotals();
  const { answer, fault, isBusy, retry } = useAnswer('query', (view, period) =>
    listQuestion(listing, view, period, { limit: asked }),
  );
  const { key, heading } = listing;
  const about = { key, metric: 'visitors', names, domain: website.shownDomain } as const;
  return (
    <>
      {above?.(answer)}
      {answer === undefined && fault !== undefined ? (
        <ListFault fault={fault} limit={limit} onRetry={retry} />
      ) : (
        <BarList
          heading={heading}
          unit="Visitors"
          rows={answer && toItems(answer.rows.slice(0, limit), about)}
          total={totals?.visitors}
          limit={limit}
          isBusy={isBusy}
          selectedKeys={filteredValues(shown.filters, key)}
          onSelect={(value) => change({ filters: toggleFilter(wanted.filters, key, value) })}
        />
      )}
    </>
  );
}
