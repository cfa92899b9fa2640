import type { Kysely } from 'kysely';
import type { LookUp } from '../accounts/create-look-up.ts';
import type { Tables } from './tables.ts';

/** An open control database, with the few things in which SQLite and PostgreSQL differ. */
export type Database = {
  db: Kysely<Tables>;
  /** What a column that holds bytes is called. */
  bytesType: 'blob' | 'bytea';
  /** For questions that anybody can ask, such as whose token this is. */
  lookUp: LookUp;
  /** Removes what deleted rows left behind in the database's files. False: someone is reading, try again. */
  scrub(): Promise<boolean>;
  close(): Promise<void>;
};
