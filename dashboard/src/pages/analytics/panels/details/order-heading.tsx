import { Icon } from '#design/display/icon.tsx';
import type { Order } from './details-question.ts';

type Props = { by: Order['by']; heading: string; order: Order; onOrder: (by: Order['by']) => void };

/** The heading of a sortable column. */
export function OrderHeading({ by, heading, order, onOrder }: Props) {
  const isChosen = order.by === by;
  return (
    <th scope="col" aria-sort={isChosen ? (order.descending ? 'descending' : 'ascending') : undefined}>
      <button type="button" onClick={() => onOrder(by)}>
        {heading}
        <Icon name="chevron" />
      </button>
    </th>
  );
}
