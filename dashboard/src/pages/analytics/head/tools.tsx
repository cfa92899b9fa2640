import { CompareMenu } from './compare-menu.tsx';
import { FilterButton } from './filter-button.tsx';
import { RangeControl } from './range-control.tsx';
import './tools.css';

type Props = { onFilter: () => void; onCustomRange: (of: 'period' | 'compare') => void };

/** The controls of the page: filters, period and comparison. */
export function Tools({ onFilter, onCustomRange }: Props) {
  return (
    <>
      <FilterButton onClick={onFilter} />
      <RangeControl onCustomRange={() => onCustomRange('period')} />
      <CompareMenu onCustomRange={() => onCustomRange('compare')} />
    </>
  );
}
