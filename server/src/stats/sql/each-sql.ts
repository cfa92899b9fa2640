/**
 * An array with the value of an expression for each record. The expression sees single elements under the names of their
 * columns. Naming the place in an array instead (`path[i]`) would copy the whole array for each element.
 */
export function eachSql(sql: string, arrays: readonly string[]): string {
  // A column is taken as it is: several times as quick as an array that is made of it.
  if (arrays.length === 1 && sql === arrays[0]) return sql;
  return `arrayMap((${arrays.join(', ')}) -> ${sql}, ${arrays.join(', ')})`;
}
