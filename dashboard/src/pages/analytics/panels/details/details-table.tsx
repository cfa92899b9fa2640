import type { AnswerRow } from '@trackside/contract/stats/answers.ts';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useMoreBeside } from '#browser/use-more-beside.ts';
import { Icon } from '#design/display/icon.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { VisitorText } from '#design/display/visitor-text.tsx';
import { cutMiddle } from '#format/cut-middle.ts';
import { useFormat } from '#format/format-context.tsx';
import type { Names } from '#format/names.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { spellValue } from '../../overview/spell-value.ts';
import { addressOf } from '../list/address-of.ts';
import type { Listing } from '../list/listing.ts';
import { spellShare } from '../list/spell-share.ts';
import { markOf } from '../list/value-looks.tsx';
import { usePanelsWords } from '../panels-words.ts';
import { ChangeCell } from './change-cell.tsx';
import { columnKinds } from './columns.ts';
import type { Order } from './details-question.ts';
import { OrderHeading } from './order-heading.tsx';

type Props = {
  listing: Listing;
  /** Undefined while they are loading. */
  rows: readonly AnswerRow[] | undefined;
  /** The total that shares of the first metric refer to. */
  total: number | undefined;
  isCompared: boolean;
  names: Names;
  order: Order;
  onOrder: (by: Order['by']) => void;
  /** Called when a row is pressed, to filter the page by it. */
  onSelect: (value: string) => void;
};

export function DetailsTable(props: Props) {
  const { listing, rows, total, isCompared, names, order, onOrder, onSelect } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // Another page starts at the top.
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [rows]);
  useMoreBeside(scroller);
  const words = usePanelsWords();
  const { heading, plural } = words.listings[listing.id];
  const { key, metrics } = listing;
  // Sorting by codes would look random, because people see the names.
  const isCoded = names.search(key.dimension, '') !== undefined;
  return (
    <div class="details-scroll" ref={scroller}>
      <table class="details-table">
        <caption class="unseen">{words.list.all(plural)}</caption>
        <thead>
          <tr>
            {isCoded ? (
              <th scope="col">{heading}</th>
            ) : (
              <OrderHeading by="dimension" heading={heading} order={order} onOrder={onOrder} />
            )}
            {metrics.map((metric, index) => (
              <Fragment key={metric}>
                <OrderHeading
                  by={metric}
                  heading={words.details.columns[metric]}
                  order={order}
                  onOrder={onOrder}
                />
                {index === 0 && <th scope="col">{words.details.share}</th>}
                {index === 0 && isCompared && <th scope="col">{words.details.change}</th>}
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <DetailsRow
              key={row.dimensions[key.dimension]}
              listing={listing}
              row={row}
              total={total}
              isCompared={isCompared}
              names={names}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
      {rows === undefined && <RowsComing />}
      {rows?.length === 0 && <p class="details-note">{words.details.nothingFound}</p>}
    </div>
  );
}

type RowProps = Pick<Props, 'listing' | 'total' | 'isCompared' | 'names' | 'onSelect'> & { row: AnswerRow };

function DetailsRow({ listing, row, total, isCompared, names, onSelect }: RowProps) {
  const { website } = useAnalytics();
  const words = usePanelsWords();
  const format = useFormat();
  const { dimension } = listing.key;
  const value = row.dimensions[dimension] ?? '';
  const label = names.value(dimension, value);
  const href = addressOf(dimension, value, website.shownDomain);
  return (
    <tr>
      <th scope="row">
        <div class="details-value">
          {markOf(dimension, value)}
          <button type="button" title={label} onClick={() => onSelect(value)}>
            <VisitorText text={cutMiddle(label)} />
          </button>
          {href !== undefined && (
            <a href={href} target="_blank" rel="noopener noreferrer">
              <Icon name="open" />
              <span class="unseen">{words.list.openInNewTab(label)}</span>
            </a>
          )}
        </div>
      </th>
      {listing.metrics.map((metric, index) => (
        <Fragment key={metric}>
          <td>{spellValue(columnKinds[metric], row.metrics[metric] ?? null, format)}</td>
          {index === 0 && <td>{spellShare(row.metrics[metric] ?? 0, total, format)}</td>}
          {index === 0 && isCompared && <ChangeCell metric={metric} row={row} />}
        </Fragment>
      ))}
    </tr>
  );
}

/** The number of rows there is room for before their number is known. */
export const rowsComing = 14;
const skeletonRows = Array.from({ length: rowsComing }, (_, index) => index);

function RowsComing() {
  return (
    <div class="details-coming">
      {skeletonRows.map((index) => (
        <Skeleton key={index} height={18} width={`${100 - index * 4}%`} />
      ))}
    </div>
  );
}
