import type { ComponentChildren } from 'preact';
import { Icon } from '#design/display/icon.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { VisitorText } from '#design/display/visitor-text.tsx';
import { cutMiddle } from '#format/cut-middle.ts';
import { useFormat } from '#format/format-context.tsx';
import { spellValue } from '../overview/spell-value.ts';
import { FilterMark } from './list/filter-mark.tsx';
import { spellShare } from './list/spell-share.ts';
import { usePanelsWords } from './panels-words.ts';
import './bar-list.css';

export type BarItem = {
  key: string;
  label: string;
  /** An icon or a flag. */
  before?: ComponentChildren;
  /** Determines the length of the bar. */
  value: number;
  /** The text of the value. Without it, the number is shown. */
  shown?: string;
  /** Shown between the label and the note. */
  beside?: ComponentChildren;
  /** The faint text before the value. Without it, the share of `total` is shown. */
  note?: string;
  /** Takes the place of the note on a phone. */
  shortNote?: string;
  /** An icon on the row opens this address in a new tab. */
  href?: string | undefined;
};

type Props = {
  /** The heading of the rows, such as Source. */
  heading: string;
  /** The heading of the values, such as Visitors. */
  unit: string;
  /** Undefined while they are loading. */
  rows: readonly BarItem[] | undefined;
  /** The total that shares refer to. */
  total?: number | undefined;
  /** Called when a row is pressed. Without it, rows can't be pressed. */
  onSelect?: ((key: string) => void) | undefined;
  /** Adds an icon to each row that filters by it, for lists where pressing a row does something else. */
  onFilter?: ((key: string) => void) | undefined;
  selectedKeys?: readonly string[] | undefined;
  /** Newer rows are loading. */
  isBusy?: boolean | undefined;
  /** The number of rows to show. The list reserves space for them, so that nothing moves when they load. */
  limit: number;
  /** Names take as many lines as they need, instead of being cut at their end. */
  isWhole?: boolean;
  /** Shown when there are no rows. */
  empty?: ComponentChildren;
};

/** A list of values, each with a bar behind it. */
export function BarList(props: Props) {
  const { heading, unit, rows, total, onSelect, onFilter, selectedKeys = [], isBusy = false, limit } = props;
  const { isWhole = false } = props;
  const format = useFormat();
  const words = usePanelsWords().list;
  const shown = rows?.slice(0, limit);
  const most = Math.max(...(shown ?? []).map(({ value }) => value), 0);
  return (
    <div
      class={isWhole ? 'bar-list bar-list-whole' : 'bar-list'}
      style={{ '--rows': limit }}
      data-busy={isBusy && shown !== undefined ? '' : undefined}
      aria-busy={isBusy || shown === undefined}
    >
      <div class="bar-head" aria-hidden="true">
        <span class="cut">{heading}</span>
        <span>{unit}</span>
      </div>
      {shown === undefined && <BarSkeleton limit={limit} />}
      {shown?.length === 0 && <p class="bar-empty">{props.empty ?? words.empty}</p>}
      {shown !== undefined && shown.length > 0 && (
        <ul aria-label={words.label({ heading, unit })}>
          {shown.map((row) => (
            <BarRow
              key={row.key}
              row={row}
              length={most > 0 ? row.value / most : 0}
              note={row.note ?? spellShare(row.value, total, format)}
              value={row.shown ?? spellValue('count', row.value, format)}
              isWhole={isWhole}
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
  /** The length of the bar, from 0 to 1. */
  length: number;
  note: string;
  value: string;
  isWhole: boolean;
  isSelected: boolean;
  onSelect: ((key: string) => void) | undefined;
  onFilter: ((key: string) => void) | undefined;
};

function BarRow({ row, length, note, value, isWhole, isSelected, onSelect, onFilter }: RowProps) {
  const words = usePanelsWords().list;
  const content = (
    <>
      {row.before !== undefined && <span class="bar-before">{row.before}</span>}
      {isWhole ? (
        <VisitorText class="bar-label" text={cutMiddle(row.label)} />
      ) : (
        <VisitorText class="bar-label cut" text={row.label} />
      )}
      {row.beside}
      <span class="bar-note">{note}</span>
      {row.shortNote !== undefined && <span class="bar-note bar-note-short">{row.shortNote}</span>}
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
          <span class="unseen">{words.openInNewTab(row.label)}</span>
        </a>
      )}
      {onFilter !== undefined && (
        <button type="button" class="bar-action" onClick={() => onFilter(row.key)}>
          <FilterMark />
          <span class="unseen">{words.filterBy(row.label)}</span>
        </button>
      )}
    </li>
  );
}

const skeletonWidths = [100, 64, 48, 40, 31, 26, 20, 16, 13, 11, 9];

/** A placeholder for rows that are loading. */
function BarSkeleton({ limit }: { limit: number }) {
  return (
    <div class="bar-skeleton" aria-hidden="true">
      {skeletonWidths.slice(0, limit).map((width) => (
        <Skeleton key={width} width={`${width}%`} height={32} />
      ))}
    </div>
  );
}
