import { Icon } from '#design/display/icon.tsx';
import type { BarItem } from './bar-item.ts';
import { FilterMark } from './filter-mark.tsx';

type Props = {
  row: BarItem;
  /** Of the bar, 0 to 1. */
  length: number;
  note: string;
  value: string;
  isSelected: boolean;
  onSelect: ((key: string) => void) | undefined;
  onFilter: ((key: string) => void) | undefined;
};

export function BarRow({ row, length, note, value, isSelected, onSelect, onFilter }: Props) {
  const content = (
    <>
      {row.before !== undefined && <span class="bar-before">{row.before}</span>}
      <span class="bar-label cut">{row.label}</span>
      <span class="bar-note">{note}</span>
      <span class="bar-value">{value}</span>
    </>
  );
  return (
    <li class="bar-row" data-selected={isSelected ? '' : undefined}>
      <span
        class={isSelected ? 'bar-fill bar-fill-selected' : 'bar-fill'}
        style={{ width: `${length * 100}%` }}
      />
      {onSelect === undefined ? (
        <div class="bar-button" title={row.label}>
          {content}
        </div>
      ) : (
        <button
          type="button"
          class="bar-button"
          title={row.label}
          aria-pressed={isSelected}
          onClick={() => onSelect(row.key)}
        >
          {content}
        </button>
      )}
      {row.href !== undefined && (
        <a class="bar-action" href={row.href} target="_blank" rel="noopener noreferrer">
          <Icon name="open" />
          <span class="unseen">Open {row.label} in a new tab</span>
        </a>
      )}
      {onFilter !== undefined && (
        <button type="button" class="bar-action" onClick={() => onFilter(row.key)}>
          <FilterMark />
          <span class="unseen">Filter by {row.label}</span>
        </button>
      )}
    </li>
  );
}
