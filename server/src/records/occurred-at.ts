/** When a record happened, as SQL. `table` is the name that columns have in front, with a dot. */
export const occurredAtSql = (table = '') =>
  `(${table}received_at - toIntervalMillisecond(${table}waited_ms))`;
