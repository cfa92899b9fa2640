import type { Session } from 'chdb';

export type Column = { name: string; type: string };

/**
 * The columns of tables, which take some milliseconds to look up and rarely change. Whoever changes a table has
 * to call `forget`.
 */
export class TableColumns {
  #known = new Map<string, readonly Column[]>();

  forget(): void {
    this.#known = new Map();
  }

  /**
   * Returns no columns for a table that isn't a plain MergeTree. Other engines send rows elsewhere, and may do
   * so in another way if they come from a question.
   */
  async list(session: Session, database: string, table: string): Promise<readonly Column[]> {
    const key = `${database}.${table}`;
    // If a table changes meanwhile, what is found goes where nobody looks it up.
    const known = this.#known;
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = await session.queryAsync(
      `select name, type from system.columns where database = '${database}' and table = '${table}' and exists (
         select 1 from system.tables where database = '${database}' and name = '${table}' and engine = 'MergeTree')`,
      { format: 'JSONEachRow' },
    );
    const lines = result.text().split('\n').slice(0, -1);
    const columns = lines.map((line) => JSON.parse(line) as Column);
    known.set(key, columns);
    return columns;
  }
}
