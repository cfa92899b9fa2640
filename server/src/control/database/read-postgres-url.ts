import { readFileSync } from 'node:fs';
import { ControlOpenError } from './control-error.ts';

/** Where PostgreSQL is, and how to connect to it. */
export type PostgresAddress = {
  host: string;
  port: number;
  database: string;
  user: string | undefined;
  password: string | undefined;
  tls: TlsOptions | undefined;
  /** What messages call it. It holds no password. */
  name: string;
};

type TlsOptions = {
  rejectUnauthorized: boolean;
  ca?: string;
  checkServerIdentity?: () => undefined;
};

const defaultPort = 5432;
const example = 'postgres://USER:PASSWORD@HOST:5432/DATABASE?sslmode=verify-full';
const parameters = ['sslmode', 'sslrootcert', 'host'];

/** Reads TRACKSIDE_DATABASE_URL. No message repeats the URL, because it holds a password. */
export function readPostgresUrl(text: string): PostgresAddress {
  if (!URL.canParse(text)) throw refusal('expected a URL in which special characters are percent-encoded');
  const url = new URL(text);
  if (!['postgres:', 'postgresql:'].includes(url.protocol))
    throw refusal('expected it to begin with postgres://');
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined)
    throw refusal(`expected only the parameters ${parameters.join(', ')}, got "${unknown}"`);
  const database = decode(url.pathname.slice(1));
  if (database === '') throw refusal('expected the name of a database after the host');
  // A folder is where the server's Unix socket is.
  const host = url.searchParams.get('host') ?? decode(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  if (host === '') throw refusal('expected a host');
  const port = url.port === '' ? defaultPort : Number(url.port);
  return {
    host,
    port,
    database,
    user: decode(url.username) || undefined,
    password: decode(url.password) || undefined,
    tls: readTls(url.searchParams.get('sslmode'), url.searchParams.get('sslrootcert')),
    name: `the PostgreSQL database ${database} on ${host}${host.startsWith('/') ? '' : `:${port}`}`,
  };
}

function readTls(mode: string | null, rootFile: string | null): TlsOptions | undefined {
  const ca = rootFile === null ? {} : { ca: readRoot(rootFile) };
  switch (mode) {
    case null:
    case 'disable':
      if (rootFile !== null) throw refusal('expected sslmode=verify-full or verify-ca with sslrootcert');
      return undefined;
    case 'require':
      // As in PostgreSQL's own clients: encrypted, and checked only if there is something to check against.
      if (rootFile === null) return { rejectUnauthorized: false };
      return { rejectUnauthorized: true, checkServerIdentity: () => undefined, ...ca };
    case 'verify-ca':
      return { rejectUnauthorized: true, checkServerIdentity: () => undefined, ...ca };
    case 'verify-full':
      return { rejectUnauthorized: true, ...ca };
    default:
      throw refusal(`expected sslmode disable, require, verify-ca or verify-full, got "${mode}"`);
  }
}

function readRoot(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refusal(`cannot read the certificate file in sslrootcert (${why})`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refusal('expected a URL in which special characters are percent-encoded');
  }
}

const refusal = (problem: string) =>
  new ControlOpenError(`TRACKSIDE_DATABASE_URL: ${problem}. Example: ${example}`);
