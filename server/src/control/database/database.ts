import type { Kysely } from 'kysely';
import type { LookUp } from '../accounts/create-look-up.ts';
import type { Tables } from './tables.ts';

/** An open control database, with the few things that differ between SQLite and PostgreSQL. */
export type Database = {
  kind: 'sqlite' | 'postgres';
  db: Kysely<Tables>;
  /** The type of a column that holds bytes. */
  bytesType: 'blob' | 'bytea';
  /** For queries that anyone can trigger, such as whose token this is. */
  lookUp: LookUp;
  /**
   * Removes the remains of deleted rows from the database's files. Returns false if the database is being
   * read, in which case it has to be tried again.
   */
  scrub(): Promise<boolean>;
  /**
   * Calls the listener soon after a change that nodes must see, whoever made it. SQLite doesn't report
   * changes of other processes, so nobody may rely on it.
   */
  watchChanges(onChange: () => void): { stop(): Promise<void> };
  /**
   * Reads the whole file and throws if it is damaged. A quick check doesn't compare indexes with their tables,
   * and leaves out a file that is too large for a start. PostgreSQL checks its pages itself.
   */
  checkPages(options: { isQuick: boolean }): Promise<void>;
  close(): Promise<void>;
};
