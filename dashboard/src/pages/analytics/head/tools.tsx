import { CompareMenu } from './compare-menu.tsx';
import { FilterButton } from './filter-button.tsx';
import { RangeControl } from './range-control.tsx';
import './tools.css';

type Props = { onFilter: () => void; onCustomRange: () => void };

/** What the page is about, to be changed. */
export function Tools({ onFilter, onCustomRange }: Props) {
  return (
    <>
      <FilterButton onClick={onFilter} />
      <RangeControl onCustomRange={onCustomRange} />
      <CompareMenu />
    </>
  );
}
