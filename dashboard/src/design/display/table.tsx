import type { ComponentChildren } from 'preact';
import './table.css';

export type Column<Row> = {
  heading: string;
  /** The heading is for screen readers only, and the cells are aligned right. */
  isAction?: boolean;
  /** On a phone the table has no head, so the heading is shown before the value. */
  isLabelled?: boolean;
  /** Aligned right, in digits of equal width. It is also labelled. */
  isNumber?: boolean;
  cell: (row: Row) => ComponentChildren;
};

type Props<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => number | string;
};

export function Table<Row>({ caption, columns, rows, keyOf }: Props<Row>) {
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ heading, isAction, isNumber }) => (
            <th key={heading} scope="col" class={isNumber ? 'table-number' : undefined}>
              <span class={isAction ? 'unseen' : undefined}>{heading}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ heading, isAction, isNumber, isLabelled, cell }) => (
              <td
                key={heading}
                class={isAction ? 'table-end' : isNumber ? 'table-number' : undefined}
                data-label={isLabelled || isNumber ? heading : undefined}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
