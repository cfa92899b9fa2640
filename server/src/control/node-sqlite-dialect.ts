import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
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

const sqliteBusy = 5;
const retryPauseMs = 5;

/** Kysely's dialect for node:sqlite. Kysely itself serialises the use of the one connection. */
export function nodeSqliteDialect(options: { sqlite: DatabaseSync; busyTimeoutMs: number }): Dialect {
  return {
    createDriver: () => createDriver(options),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** SQLite's own busy timeout sleeps on the calling thread, and intake would sleep with it; this one waits. */
export async function retryWhileBusy<T>(busyTimeoutMs: number, attempt: () => T): Promise<T> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await setTimeout(retryPauseMs);
  }
}

function createDriver({ sqlite, busyTimeoutMs }: { sqlite: DatabaseSync; busyTimeoutMs: number }): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      // Inside a transaction the write lock is already ours, so nothing there is worth a second try.
      const patienceMs = sqlite.isTransaction ? 0 : busyTimeoutMs;
      return await retryWhileBusy(patienceMs, () => execute<R>(sqlite, query));
    },
    // biome-ignore lint/correctness/useYield: the type asks for a generator; control never streams.
    async *streamQuery() {
      throw new Error('streaming is not supported: control reads small tables');
    },
  };
  const run = async (text: string) => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // Immediate: a transaction that reads first and then writes would otherwise fail when another process wrote.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: () => run('rollback'),
    releaseConnection: async () => {},
    destroy: async () => sqlite.close(),
  };
}

function execute<R>(sqlite: DatabaseSync, query: CompiledQuery): QueryResult<R> {
  const statement = sqlite.prepare(query.sql);
  const parameters = query.parameters as SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] };
  const { changes } = statement.run(...parameters);
  return { rows: [], numAffectedRows: BigInt(changes) };
}

function isBusy(error: unknown): boolean {
  // The low byte is the primary code; the rest says why it is busy.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteBusy;
}
