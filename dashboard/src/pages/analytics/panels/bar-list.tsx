import type { ComponentChildren } from 'preact';
import { Icon } from '#design/display/icon.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { useFormat } from '#format/format-context.ts';
import { spellValue } from '../overview/spell-value.ts';
import { FilterMark } from './list/filter-mark.tsx';
import { spellShare } from './list/spell-share.ts';
import './bar-list.css';

export type BarItem = {
  key: string;
  label: string;
  /** An icon or a flag. */
  before?: ComponentChildren;
  /** Decides the length of the bar. */
  value: number;
  /** How the value is written; the number itself when absent. */
  shown?: string;
  /** The faint text before the value; the share of `total` when absent. */
  note?: string;
  /** Opens in a new tab, by an icon that appears on the row. */
  href?: string | undefined;
};

type Props = {
  /** What the rows are, such as Source. */
  heading: string;
  /** What the values are, such as Visitors. */
  unit: string;
  /** undefined while they are on their way. */
  rows: readonly BarItem[] | undefined;
  /** What shares are of. */
  total?: number | undefined;
  /** A row is pressed. Without it, rows are only read. */
  onSelect?: ((key: string) => void) | undefined;
  /** Where pressing a row leads further into the list: filters by it, with an icon on the row. */
  onFilter?: ((key: string) => void) | undefined;
  selectedKeys?: readonly string[] | undefined;
  /** Newer rows are on their way. */
  isBusy?: boolean | undefined;
  /** So many rows are shown; the list keeps room for them, so that nothing moves when they come. */
  limit: number;
  /** In place of rows, when there are none. */
  empty?: ComponentChildren;
};

/** A list of values, each with a bar behind it. */
export function BarList(props: Props) {
  const { heading, unit, rows, total, onSelect, onFilter, selectedKeys = [], isBusy = false, limit } = props;
  const format = useFormat();
  const shown = rows?.slice(0, limit);
  const most = Math.max(...(shown ?? []).map(({ value }) => value), 0);
  return (
    <div
      class="bar-list"
      style={{ '--rows': limit }}
      data-busy={isBusy && shown !== undefined ? '' : undefined}
      aria-busy={isBusy || shown === undefined}
    >
      <div class="bar-head" aria-hidden="true">
        <span class="cut">{heading}</span>
        <span>{unit}</span>
      </div>
      {shown === undefined && <BarSkeleton limit={limit} />}
      {shown?.length === 0 && <p class="bar-empty">{props.empty ?? 'Nothing in this period'}</p>}
      {shown !== undefined && shown.length > 0 && (
        <ul aria-label={`${heading}, by ${unit.toLowerCase()}`}>
          {shown.map((row) => (
            <BarRow
              key={row.key}
              row={row}
              length={most > 0 ? row.value / most : 0}
              note={row.note ?? spellShare(row.value, total)}
              value={row.shown ?? spellValue('count', row.value, format)}
              isSelected={selectedKeys.includes(row.key)}
              onSelect={onSelect}
              onFilter={onFilter}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

type RowProps = {
  row: BarItem;
  /** Of the bar, 0 to 1. */
  length: number;
  note: string;
  value: string;
  isSelected: boolean;
  onSelect: ((key: string) => void) | undefined;
  onFilter: ((key: string) => void) | undefined;
};

function BarRow({ row, length, note, value, isSelected, onSelect, onFilter }: RowProps) {
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

const skeletonWidths = [100, 64, 48, 40, 31, 26, 20, 16, 13, 11, 9];

/** Rows that are on their way. */
function BarSkeleton({ limit }: { limit: number }) {
  return (
    <div class="bar-skeleton" aria-hidden="true">
      {skeletonWidths.slice(0, limit).map((width) => (
        <Skeleton key={width} width={`${width}%`} height={32} />
      ))}
    </div>
  );
}
