import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { openThread, type Thread } from '../../concurrency/open-thread.ts';
import type { SqliteResult, SqliteStatement } from './sqlite-worker.ts';

type SqliteThread = Thread<SqliteStatement, SqliteResult>;

/**
 * Kysely's dialect for node:sqlite on a thread of its own, so that no commit delays the answers to records.
 * Kysely itself serializes the use of the one connection.
 */
export function nodeSqliteDialect(path: string): Dialect {
  return {
    createDriver: () => createDriver(path),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

function createDriver(path: string): Driver {
  let current: { thread: SqliteThread; connection: DatabaseConnection } | undefined;
  const run = async (connection: DatabaseConnection, text: string) => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: async () => {},
    async acquireConnection() {
      // A connection stays with its thread. If the thread of a transaction has ended, the transaction fails
      // instead of continuing on the next thread.
      if (current?.thread.isAlive() !== true) {
        const module = new URL('./sqlite-worker.ts', import.meta.url);
        const thread: SqliteThread = await openThread({
          module,
          data: { path },
          name: `the database ${path}`,
        });
        current = { thread, connection: connectionTo(thread) };
      }
      return current.connection;
    },
    // Otherwise a transaction that reads first and then writes would fail if another process has written in
    // between.
    beginTransaction: (connection) => run(connection, 'begin immediate'),
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: (connection) => run(connection, 'rollback'),
    releaseConnection: async () => {},
    destroy: async () => current?.thread.close(),
  };
}

function connectionTo(thread: SqliteThread): DatabaseConnection {
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changes } = await thread.ask({ sql, parameters });
      return { rows: rows as R[], ...(changes !== undefined && { numAffectedRows: changes }) };
    },
    // biome-ignore lint/correctness/useYield: the type asks for a generator; control never streams.
    async *streamQuery() {
      throw new Error('streaming is not supported: control reads small tables');
    },
  };
}
