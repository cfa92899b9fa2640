import type { ComponentChildren } from 'preact';
import { useFormat } from '#format/format-context.ts';
import { spellValue } from '../overview/spell-value.ts';
import type { BarItem } from './list/bar-item.ts';
import { BarRow } from './list/bar-row.tsx';
import { BarSkeleton } from './list/bar-skeleton.tsx';
import { spellShare } from './list/spell-share.ts';
import './bar-list.css';

export type { BarItem };

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
