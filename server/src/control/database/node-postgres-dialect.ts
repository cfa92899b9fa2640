import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DataTypeNode,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely';
import pg, { type Pool, type PoolClient } from 'pg';
import { ControlOpenError } from './control-error.ts';
import { PostgresError } from './postgres-error.ts';

/** Any two numbers will do, as long as no other program uses them for locks in the same database. */
const writerLock = 7_872_101_531;
const migrationLock = 7_872_101_532;
const migrationPauseMs = 100;
const migrationPatienceMs = 60_000;

type Connection = DatabaseConnection & { isBroken: boolean; release(): void };

/**
 * Kysely's dialect for PostgreSQL, with SQLite's rules: one transaction writes at a time, and texts are
 * compared by their bytes.
 */
export function nodePostgresDialect(options: { pool: Pool; toError: (error: unknown) => Error }): Dialect {
  return {
    createDriver: () => createDriver(options),
    createAdapter: () => new LockingAdapter(),
    createQueryCompiler: () => new QueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

function createDriver({ pool, toError }: { pool: Pool; toError: (error: unknown) => Error }): Driver {
  const run = async (connection: DatabaseConnection, text: string) => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  const rollBack = async (connection: DatabaseConnection) => {
    // A connection that was lost has rolled back, and a second fault would hide the first one.
    if (!(connection as Connection).isBroken) await run(connection, 'rollback');
  };
  return {
    init: async () => {},
    async acquireConnection() {
      try {
        return connectionTo(await pool.connect(), toError);
      } catch (error) {
        throw toError(error);
      }
    },
    /**
     * Takes one lock for all transactions that write. Control is small and rarely changes, and what is right
     * for SQLite's only writer is right here too, without having to think about rows that are read first and
     * written later.
     */
    async beginTransaction(connection, { accessMode }) {
      if (accessMode === 'read only') {
        await run(connection, 'begin isolation level repeatable read read only');
        return;
      }
      try {
        await run(
          connection,
          `begin isolation level read committed; select pg_advisory_xact_lock(${writerLock})`,
        );
      } catch (error) {
        await rollBack(connection);
        throw error;
      }
    },
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: rollBack,
    async releaseConnection(connection) {
      (connection as Connection).release();
    },
    destroy: () => pool.end(),
  };
}

function connectionTo(client: PoolClient, toError: (error: unknown) => Error): Connection {
  // A connection that is lost between two statements reports it here, which would otherwise end the process.
  const onLost = () => {
    connection.isBroken = true;
  };
  client.on('error', onLost);
  const connection: Connection = {
    isBroken: false,
    release() {
      client.off('error', onLost);
      client.release(connection.isBroken);
    },
    async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      try {
        // Without parameters, the text may contain several statements.
        const answer = await (parameters.length === 0
          ? client.query(text)
          : client.query(text, parameters.map(toParameter)));
        const { command, rowCount, rows } = Array.isArray(answer) ? answer.at(-1) : answer;
        const isChange = ['INSERT', 'UPDATE', 'DELETE'].includes(command);
        return { rows, ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }) };
      } catch (error) {
        // Any other error is the connection's, and nobody knows what it will answer next.
        const fault = toError(error);
        connection.isBroken ||= !(error instanceof pg.DatabaseError) || !(fault instanceof PostgresError);
        throw fault;
      }
    },
    // biome-ignore lint/correctness/useYield: the type asks for a generator; control never streams.
    async *streamQuery() {
      throw new Error('streaming is not supported: control reads small tables');
    },
  };
  return connection;
}

/** PostgreSQL refuses this one character. No stored text has it, so a search for it must find nothing. */
const toParameter = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;

/** Compares texts by their bytes like SQLite, whatever language the database was created for. */
class QueryCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (node.dataType === 'text') this.append(' collate "C"');
  }
}

class LockingAdapter extends PostgresAdapter {
  /** Asks again and again, because a statement that waits would be ended by its timeout. */
  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    const deadlineMs = performance.now() + migrationPatienceMs;
    for (;;) {
      const { rows } = await sql<{ is_mine: boolean }>`
        select pg_try_advisory_lock(${sql.lit(migrationLock)}) as is_mine`.execute(db);
      if (rows[0]?.is_mine === true) return;
      if (performance.now() > deadlineMs)
        throw new ControlOpenError(
          'The control database is being updated by another node, which takes too long. ' +
            'Check the log of that node, then start this one again.',
        );
      await delay(migrationPauseMs);
    }
  }

  override async releaseMigrationLock(db: Kysely<unknown>): Promise<void> {
    await sql`select pg_advisory_unlock(${sql.lit(migrationLock)})`.execute(db);
  }
}
