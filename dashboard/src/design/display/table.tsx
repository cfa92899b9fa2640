import type { ComponentChildren } from 'preact';
import './table.css';

export type Column<Row> = {
  heading: string;
  /** Its heading is read, not seen; its cells stand at the right. */
  isAction?: boolean;
  /** On a phone, where there is no head, the heading stands before the value. */
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
