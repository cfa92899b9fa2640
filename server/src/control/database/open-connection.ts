import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sqliteCode, sqliteCodes } from '../../files/sqlite-code.ts';

export type SqliteStatement = { sql: string; parameters: readonly unknown[] };
export type SqliteResult = { rows: unknown[]; changes?: bigint };

const busyTimeoutMs = 5_000;
const retryPauseMs = 5;
const never = new Int32Array(new SharedArrayBuffer(4));

/** Opens a database on the thread that calls this, which then waits for SQLite. */
export function openConnection(path: string): {
  execute(statement: SqliteStatement): SqliteResult;
  close(): void;
} {
  const sqlite = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  try {
    retryWhileBusy(busyTimeoutMs, () => setUp(sqlite, path));
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return {
    // Within a transaction the write lock is already ours, so a second try would be useless.
    execute: (statement) =>
      retryWhileBusy(sqlite.isTransaction ? 0 : busyTimeoutMs, () => execute(sqlite, statement)),
    close: () => sqlite.close(),
  };
}

function setUp(opened: DatabaseSync, path: string): void {
  const mode = opened.prepare('pragma journal_mode = wal').get()?.journal_mode;
  if (mode !== 'wal') {
    throw new Error(
      `${path}: expected SQLite to switch to its write-ahead log, but it stayed in mode ${mode}`,
    );
  }
  opened.exec('pragma synchronous = full');
  // Without this, a destroyed salt stays readable in the free part of its page.
  opened.exec('pragma secure_delete = on');
}

function execute(sqlite: DatabaseSync, { sql, parameters }: SqliteStatement): SqliteResult {
  // On a full disk SQLite has already undone the transaction, and a second fault would hide the first one.
  if (sql === 'rollback' && !sqlite.isTransaction) return { rows: [] };
  const statement = sqlite.prepare(sql);
  const values = parameters as SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...values) };
  return { rows: [], changes: BigInt(statement.run(...values).changes) };
}

/**
 * SQLite's own timeout would also make a checkpoint wait for readers, and all other statements would wait for
 * it.
 */
function retryWhileBusy<T>(patienceMs: number, attempt: () => T): T {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (sqliteCode(error) !== sqliteCodes.busy || performance.now() >= deadline) throw error;
    }
    Atomics.wait(never, 0, 0, retryPauseMs);
  }
}
