import { Kysely } from 'kysely';
import pg from 'pg';
import { createLookUp } from '../accounts/create-look-up.ts';
import type { Database } from './database.ts';
import { listenForChanges } from './listen-for-changes.ts';
import { nodePostgresDialect } from './node-postgres-dialect.ts';
import { toPostgresError } from './postgres-error.ts';
import { type PostgresAddress, readPostgresUrl } from './read-postgres-url.ts';
import type { Tables } from './tables.ts';

/** Enough for a node: its own work takes few at a time, and lookups by strangers have their own limit. */
const maxConnections = 8;
type Limits = { connectMs: number; lockMs: number; statementMs: number };
/** Locks as SQLite waits for them. */
const limitsOfRequests: Limits = { connectMs: 3_000, lockMs: 5_000, statementMs: 10_000 };
/** A command would only be run again. */
const limitsOfCommands: Limits = { connectMs: 30_000, lockMs: 60_000, statementMs: 120_000 };
/** So much later than PostgreSQL's own limit, for a network that swallows answers. */
const answerLaterMs = 2_000;
const lookUpLimits = { places: 4, maxWaiting: 60 };

/** PostgreSQL's numbers of these types. */
const types = { bytea: 17, int8: 20, numeric: 1700 };

export function openPostgres(url: string, { isPatient = false } = {}): Database {
  const address = readPostgresUrl(url);
  const options = clientOptions(address, isPatient ? limitsOfCommands : limitsOfRequests);
  const pool = new pg.Pool({
    ...options,
    max: maxConnections,
    idleTimeoutMillis: 60_000,
    // Otherwise a command would stay open until its connections time out.
    allowExitOnIdle: true,
  });
  // A connection that is lost while nobody uses it has left the pool by then, and the next use opens another.
  pool.on('error', () => {});
  const toError = (error: unknown) => toPostgresError(error, address.name);
  const db = new Kysely<Tables>({ dialect: nodePostgresDialect({ pool, toError }) });
  return {
    kind: 'postgres',
    db,
    bytesType: 'bytea',
    lookUp: createLookUp(lookUpLimits),
    // Deleted rows are PostgreSQL's to clean up, and its archives are out of reach.
    scrub: async () => true,
    watchChanges: (onChange) => listenForChanges(options, onChange),
    checkPages: async () => {},
    close: () => db.destroy(),
  };
}

function clientOptions(address: PostgresAddress, limits: Limits): pg.ClientConfig {
  const { host, port, database, user, password, tls } = address;
  const { connectMs, lockMs, statementMs } = limits;
  return {
    host,
    port,
    database,
    user,
    password,
    ssl: tls ?? false,
    application_name: 'trackside',
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + answerLaterMs,
    lock_timeout: lockMs,
    // A node that hangs in the middle of a transaction must not keep all others from writing.
    idle_in_transaction_session_timeout: limitsOfRequests.statementMs,
    types: { getTypeParser },
  };
}

/** Whole numbers are numbers and bytes are plain arrays, as in SQLite. No number in control is too large. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  if (type === types.int8 || type === types.numeric) return Number;
  if (type === types.bytea) {
    const parse = pg.types.getTypeParser(types.bytea, 'text');
    return (text: string) => new Uint8Array(parse(text));
  }
  return format === 'binary' ? pg.types.getTypeParser(type, 'binary') : pg.types.getTypeParser(type, 'text');
}
