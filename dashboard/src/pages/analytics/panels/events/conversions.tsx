import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import { filteredValues, toggleFilter } from '../../view/filters.ts';
import { BarList } from '../bar-list.tsx';
import { ListFault } from '../list/list-fault.tsx';
import { useListRows, useTotals } from '../list/use-list-rows.ts';
import { usePanelsWords } from '../panels-words.ts';
import { toConversions } from './to-conversions.ts';

const key = { dimension: 'event' } as const;

/** The share of all visitors who triggered each event. */
export function Conversions({ limit }: { limit: number }) {
  const { wanted, shown, change } = useAnalytics();
  const format = useFormat();
  const words = usePanelsWords();
  const totals = useTotals();
  const { answer, fault, isBusy, retry } = useListRows(key, 'visitors', { limit });
  if (fault !== undefined) return <ListFault fault={fault} limit={limit} onRetry={retry} />;
  return (
    <BarList
      heading={words.events.event}
      unit={words.events.conversionRate}
      rows={answer && totals && toConversions(answer.rows, totals.visitors, format, words.visitors)}
      limit={limit}
      isBusy={isBusy}
      selectedKeys={filteredValues(shown.filters, key)}
      onSelect={(event) => change({ filters: toggleFilter(wanted.filters, key, event) })}
    />
  );
}
