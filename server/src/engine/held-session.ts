import type { ChdbQueryStream, ChdbResult, Session } from 'chdb';
import { EngineError, faults } from './engine-error.ts';
import { type InsertOptions, type InsertSummary, insertRows } from './insert-rows.ts';
import { quoted, settingText } from './setting-text.ts';
import type { InsertStatement } from './statement-text.ts';
import { mentionsParameter } from './statement-text.ts';

export type Statement = {
  sql: string;
  format: string;
  database: string;
  params: ReadonlyMap<string, string>;
  settings: ReadonlyMap<string, string>;
};

type SessionOptions = Pick<InsertOptions, 'tables' | 'ownFolder'> & {
  /** The settings that each statement starts with. */
  baseline: Readonly<Record<string, string | number>>;
};

/**
 * One chDB session that is used by one request at a time, and that leaves no trace of a statement for the
 * next one.
 */
export class HeldSession {
  readonly #session: Session;
  readonly #options: SessionOptions;
  readonly #paramsSetBefore = new Set<string>();
  /** The next statement resets these, which saves a round trip into chDB for every statement. */
  readonly #changedSettings = new Set<string>();
  #database: string | undefined;

  private constructor(session: Session, options: SessionOptions) {
    this.#session = session;
    this.#options = options;
  }

  static async open(session: Session, options: SessionOptions): Promise<HeldSession> {
    const held = new HeldSession(session, options);
    await held.#set(
      Object.entries(options.baseline).map(([name, value]) => settingText(name, String(value))),
    );
    return held;
  }

  /** If nobody is waiting anymore when the session is prepared, the statement isn't started. */
  async run(statement: Statement, gone?: AbortSignal): Promise<ChdbResult> {
    return await this.#prepared(statement, () => {
      gone?.throwIfAborted();
      return this.#session.queryAsync(statement.sql, { format: statement.format });
    });
  }

  /**
   * The session is free again when `consume` has returned. `consume` must not return while a chunk is being
   * fetched.
   */
  async runStreamed(
    statement: Statement,
    consume: (stream: ChdbQueryStream) => Promise<void>,
  ): Promise<void> {
    await this.#prepared(statement, async () => {
      const stream = this.#session.queryStream(statement.sql, { format: statement.format });
      try {
        await consume(stream);
      } finally {
        stream.cancel();
      }
    });
  }

  async insert(
    into: InsertStatement,
    rows: Buffer,
    request: Pick<InsertOptions, 'database' | 'settings'>,
  ): Promise<InsertSummary> {
    await this.#use(request.database);
    await this.#set([...this.#changedSettings].map((name) => this.#original(name)));
    this.#changedSettings.clear();
    return await insertRows(this.#session, into, rows, { ...request, ...this.#options });
  }

  async #prepared<Result>(statement: Statement, body: () => Promise<Result>): Promise<Result> {
    this.#refuseStaleParams(statement);
    await this.#use(statement.database);
    const leftOver = [...this.#changedSettings].filter((name) => !statement.settings.has(name));
    for (const name of statement.params.keys()) this.#paramsSetBefore.add(name);
    for (const name of statement.settings.keys()) this.#changedSettings.add(name);
    await this.#set([
      ...leftOver.map((name) => this.#original(name)),
      ...[...statement.settings].map(([name, value]) => settingText(name, value)),
      ...[...statement.params].map(([name, value]) => `param_${name} = ${quoted(value)}`),
    ]);
    for (const name of leftOver) this.#changedSettings.delete(name);
    try {
      return await body();
    } catch (error) {
      await this.#letGo();
      throw error;
    }
  }

  /** chDB keeps a query that has failed, with all of its memory, until the next query on the same session. */
  async #letGo(): Promise<void> {
    await this.#session.queryAsync('select 1').catch(() => {});
  }

  /**
   * A parameter can't be unset, only overwritten. A statement that lacks a parameter must not be answered
   * with the value of an earlier one.
   */
  #refuseStaleParams(statement: Statement): void {
    for (const name of this.#paramsSetBefore) {
      if (statement.params.has(name) || !mentionsParameter(statement.sql, name)) continue;
      throw new EngineError(faults.unknownParameter, `Substitution \`${name}\` is not set.`);
    }
  }

  #original(name: string): string {
    const value = this.#options.baseline[name];
    return value === undefined ? `${name} = default` : settingText(name, String(value));
  }

  async #use(database: string): Promise<void> {
    if (this.#database === database) return;
    this.#database = undefined;
    await this.#session.queryAsync(`use ${database}`);
    this.#database = database;
  }

  async #set(assignments: string[]): Promise<void> {
    if (assignments.length > 0) await this.#session.queryAsync(`set ${assignments.join(', ')}`);
  }
}
