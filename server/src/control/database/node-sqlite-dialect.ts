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
import { openConnection, type SqliteResult, type SqliteStatement } from './open-connection.ts';

type SqliteThread = Thread<SqliteStatement, SqliteResult>;

/**
 * Kysely's dialect for node:sqlite on a separate thread, so that no commit delays the answers to records.
 * Kysely itself serializes the use of the one connection.
 */
export function nodeSqliteDialect(path: string, { isOnThisThread }: { isOnThisThread: boolean }): Dialect {
  return {
    createDriver: () => createDriver(() => (isOnThisThread ? openHere(path) : openElsewhere(path))),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

function createDriver(open: () => Promise<SqliteThread>): Driver {
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
        const thread = await open();
        current = { thread, connection: connectionTo(thread) };
      }
      return current.connection;
    },
    // Otherwise a transaction that reads first and then writes would fail if another process has written in
    // between.
    beginTransaction: (connection, { accessMode }) =>
      run(connection, accessMode === 'read only' ? 'begin' : 'begin immediate'),
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: (connection) => run(connection, 'rollback'),
    releaseConnection: async () => {},
    destroy: async () => current?.thread.close(),
  };
}

function openElsewhere(path: string): Promise<SqliteThread> {
  const module = new URL('./sqlite-worker.ts', import.meta.url);
  return openThread({ module, data: { path }, name: `the database ${path}` });
}

async function openHere(path: string): Promise<SqliteThread> {
  const connection = openConnection(path);
  let isOpen = true;
  return {
    // A value from another thread is a copy, and has the prototypes of plain objects.
    ask: async (statement) => structuredClone(connection.execute(statement)),
    isAlive: () => isOpen,
    async close() {
      if (isOpen) connection.close();
      isOpen = false;
    },
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
