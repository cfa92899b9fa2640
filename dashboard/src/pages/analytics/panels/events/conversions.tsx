import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import { filteredValues, toggleFilter } from '../../view/filters.ts';
import { BarList } from '../bar-list.tsx';
import { ListFault } from '../list/list-fault.tsx';
import { useListRows, useTotals } from '../list/use-list-rows.ts';
import { toConversions } from './to-conversions.ts';

const key = { dimension: 'event' } as const;

/** The share of all visitors who triggered each event. */
export function Conversions({ limit }: { limit: number }) {
  const { wanted, shown, change } = useAnalytics();
  const format = useFormat();
  const totals = useTotals();
  const { answer, fault, isBusy, retry } = useListRows(key, 'visitors', { limit });
  if (fault !== undefined) return <ListFault fault={fault} limit={limit} onRetry={retry} />;
  return (
    <BarList
      heading="Event"
      unit="Conversion rate"
      rows={answer && totals && toConversions(answer.rows, totals.visitors, format)}
      limit={limit}
      isBusy={isBusy}
      selectedKeys={filteredValues(shown.filters, key)}
      onSelect={(event) => change({ filters: toggleFilter(wanted.filters, key, event) })}
    />
  );
}
