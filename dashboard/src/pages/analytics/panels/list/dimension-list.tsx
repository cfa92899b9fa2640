import { useRef } from 'preact/hooks';
import { useNames } from '#format/names.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { filteredValues, toggleFilter } from '../../view/filters.ts';
import { BarList } from '../bar-list.tsx';
import { useGoalsWords } from '../goals/goals-words.ts';
import { usePanelsWords } from '../panels-words.ts';
import { Crumbs } from './crumbs.tsx';
import { drillDown, drillUp } from './drill-down.ts';
import { ListFault } from './list-fault.tsx';
import type { Listing } from './listing.ts';
import { useListRows, useTotals } from './use-list-rows.ts';

type Props = {
  listing: Listing;
  /** The number of rows to show. */
  limit: number;
  /** The number of rows to ask for, when something else needs more of them than the list shows. */
  asked?: number;
};

/**
 * The first values of a dimension. Pressing one filters the page by it, and leads to a finer list if there is
 * one. Pressing it again removes the filter.
 */
export function DimensionList({ listing, limit, asked }: Props) {
  const { wanted, shown, change } = useAnalytics();
  const words = usePanelsWords();
  const names = useNames();
  const goalsWords = useGoalsWords();
  const totals = useTotals();
  const wasPressed = useRef(false);
  const { listing: finest, crumbs } = drillDown(listing, shown.filters);
  const { key } = finest;
  const isTop = crumbs.length === 0;
  // The crumbs take the space of one row.
  const room = isTop ? limit : limit - 1;
  const { rows, fault, isBusy, retry } = useListRows(
    (filters) => drillDown(listing, filters).listing.key,
    'visitors',
    {
      limit: room,
      asked: (filters) => (drillDown(listing, filters).crumbs.length === 0 ? (asked ?? limit) : limit - 1),
    },
  );
  const labels = [
    words.list.all(words.listings[listing.id].plural),
    ...crumbs.map((crumb) => names.value(crumb.listing.key.dimension, crumb.value)),
  ];
  return (
    <>
      {!isTop && (
        <Crumbs
          labels={labels}
          hasFocus={wasPressed.current}
          onBack={(to) => {
            wasPressed.current = false;
            change({ filters: drillUp(wanted.filters, crumbs, to) });
          }}
        />
      )}
      {fault !== undefined ? (
        <ListFault fault={fault} limit={room} onRetry={retry} />
      ) : (
        <BarList
          heading={words.listings[finest.id].heading}
          unit={shown.goal === undefined ? words.list.visitors : goalsWords.conversions}
          rows={rows}
          total={totals?.visitors}
          limit={room}
          empty={shown.filters.length > 0 ? words.list.emptyFiltered : undefined}
          isBusy={isBusy}
          selectedKeys={filteredValues(shown.filters, key)}
          onSelect={(value) => {
            wasPressed.current = true;
            change({ filters: toggleFilter(wanted.filters, key, value) });
          }}
        />
      )}
    </>
  );
}
