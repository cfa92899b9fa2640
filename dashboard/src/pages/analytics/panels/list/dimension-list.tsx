import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { ComponentChildren } from 'preact';
import { useAnalytics } from '../../analytics-context.ts';
import { filteredValues, toggleFilter } from '../../view/filters.ts';
import { BarList } from '../bar-list.tsx';
import { usePanelsWords } from '../panels-words.ts';
import { ListFault } from './list-fault.tsx';
import type { Listing } from './listing.ts';
import { useListRows, useTotals } from './use-list-rows.ts';

type Props = {
  listing: Listing;
  /** The number of rows to show. */
  limit: number;
  /** The number of rows to ask for, when `above` needs more of them than the list shows. */
  asked?: number;
  /** Renders the same rows in another way above the list. */
  above?: ((answer: Answers['query'] | undefined) => ComponentChildren) | undefined;
};

/**
 * The first values of a dimension. Pressing one filters the page by it, and pressing it again removes the
 * filter.
 */
export function DimensionList({ listing, limit, asked = limit, above }: Props) {
  const { wanted, shown, change } = useAnalytics();
  const words = usePanelsWords();
  const { key } = listing;
  const totals = useTotals();
  const { rows, answer, fault, isBusy, retry } = useListRows(key, 'visitors', { limit, asked });
  return (
    <>
      {above?.(answer)}
      {fault !== undefined ? (
        <ListFault fault={fault} limit={limit} onRetry={retry} />
      ) : (
        <BarList
          heading={words.listings[listing.id].heading}
          unit={words.list.visitors}
          rows={rows}
          total={totals?.visitors}
          limit={limit}
          empty={shown.filters.length > 0 ? words.list.emptyFiltered : undefined}
          isBusy={isBusy}
          selectedKeys={filteredValues(shown.filters, key)}
          onSelect={(value) => change({ filters: toggleFilter(wanted.filters, key, value) })}
        />
      )}
    </>
  );
}
