import type { ComponentChildren } from 'preact';
import './table.css';

export type Column<Row> = {
  heading: string;
  /** The heading is for screen readers only, and the cells are aligned right. */
  isAction?: boolean;
  /** On a phone the table has no head, so the heading is shown before the value. */
  isLabelled?: boolean;
  cell: (row: Row) => ComponentChildren;
};

type Props<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => number;
};

export function Table<Row>({ caption, columns, rows, keyOf }: Props<Row>) {
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ heading, isAction }) => (
            <th key={heading} scope="col">
              <span class={isAction ? 'unseen' : undefined}>{heading}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ heading, isAction, isLabelled, cell }) => (
              <td
                key={heading}
                class={isAction ? 'table-end' : undefined}
                data-label={isLabelled ? heading : undefined}
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
