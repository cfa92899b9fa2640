/** Well below the maximum number of parameters in a statement, and of conditions. */
const maxRowsPerStatement = 500;

export function* inParts<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += maxRowsPerStatement)
    yield rows.slice(start, start + maxRowsPerStatement);
}
