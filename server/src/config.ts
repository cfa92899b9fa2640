import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { OperatorError } from './operator-error.ts';

/** Everything that can be set from outside. Only this file reads the environment. */
export type Config = {
  host: string;
  port: number;
  dataDir: string;
  secretKeyFile: string;
  /** The URL of PostgreSQL as the control database, with its password. SQLite if it is undefined. */
  databaseUrl: string | undefined;
  logLevel: string;
  metricsToken: string | undefined;
  trustedProxies: number;
  /** The email of the first user, who is added if there is no user yet. */
  adminEmail: string | undefined;
  adminPassword: string | undefined;
  /** The read token of the website that `trackside mcp` answers about. */
  readToken: string | undefined;
  journalMaxBytes: number;
  journalRetentionHours: number;
  minFreeBytes: number;
  engineMaxMemoryBytes: number;
  /** How many processes take records. */
  workers: number;
};

/** A setting has an unusable value. The message is one line that says what to do. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError';
}

type Setting = { flag: string; variable: string; fallback: string | undefined; help: string };

const setting = (flag: string, fallback: string | undefined, help: string): Setting => ({
  flag,
  variable: `TRACKSIDE_${flag.replaceAll('-', '_').toUpperCase()}`,
  fallback,
  help,
});

/** An environment variable and not a flag, because other users of the machine can read flags. */
export const adminPasswordVariable = 'TRACKSIDE_ADMIN_PASSWORD';

export const readTokenVariable = 'TRACKSIDE_READ_TOKEN';

/** No flags either, because the URL holds a password. */
const databaseUrlVariable = 'TRACKSIDE_DATABASE_URL';
const databaseUrlFileVariable = `${databaseUrlVariable}_FILE`;

const maxWorkers = 64;

export const settings = {
  host: setting('host', '127.0.0.1', 'address to listen on'),
  port: setting('port', '8080', 'port to listen on; 0 picks a free one'),
  dataDir: setting('data-dir', './data', 'folder for all data'),
  secretKeyFile: setting(
    'secret-key-file',
    undefined,
    'key file for stored secrets (default: DATA_DIR/secret.key)',
  ),
  logLevel: setting('log-level', 'info', 'debug, info, warn or error'),
  metricsToken: setting('metrics-token', undefined, 'bearer token that lets other machines read /metrics'),
  trustedProxies: setting(
    'trusted-proxies',
    '0',
    'number of proxies in front whose X-Forwarded-For is trusted when someone signs in',
  ),
  adminEmail: setting(
    'admin-email',
    undefined,
    `creates this admin if there are no users, with the password in ${adminPasswordVariable}`,
  ),
  journalMaxBytes: setting('journal-max-bytes', '20GB', 'records are refused while the journal is larger'),
  journalRetentionHours: setting(
    'journal-retention-hours',
    '6',
    'how long loaded records stay in the journal',
  ),
  minFreeBytes: setting('min-free-bytes', '512MB', 'records are refused while less disk space is free'),
  engineMaxMemoryBytes: setting(
    'engine-max-memory-bytes',
    '2GB',
    'the engine is restarted when it uses more',
  ),
  workers: setting(
    'workers',
    '1',
    'processes that take records; auto uses all processors but one, which is left to the engine',
  ),
} as const satisfies Record<string, Setting>;

/** The names of all environment variables that mean something. */
export const knownVariables: readonly string[] = [
  ...Object.values(settings).map(({ variable }) => variable),
  adminPasswordVariable,
  readTokenVariable,
  databaseUrlVariable,
  databaseUrlFileVariable,
  // Make the tests longer, and run those of control on PostgreSQL.
  'TRACKSIDE_LONG_TESTS',
  'TRACKSIDE_TEST_DATABASE',
];

export type Flags = Partial<Record<string, string | boolean | undefined>>;

/**
 * Reads each setting from its flag, else from the environment, else from its default. Throws a ConfigError
 * for the first value that is wrong.
 */
export function readConfig(flags: Flags, environment: NodeJS.ProcessEnv): Config {
  const read = ({ flag, variable, fallback }: Setting): { value: string | undefined; name: string } => {
    const given = flags[flag];
    // An empty flag usually comes from a shell variable that is not set. An empty data folder would mean the
    // current one.
    if (given === '') throw new ConfigError(`--${flag}: expected a value, got ""`);
    if (typeof given === 'string') return { value: given, name: `--${flag}` };
    const fromEnvironment = environment[variable];
    if (fromEnvironment !== undefined && fromEnvironment !== '')
      return { value: fromEnvironment, name: variable };
    return { value: fallback, name: variable };
  };
  const whole = (source: Setting, min: number, max: number): number => {
    const { value, name } = read(source);
    const number = /^\d+$/.test(value ?? '') ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new ConfigError(`${name}: expected a whole number from ${min} to ${max}, got "${value}"`);
  };
  const bytes = (source: Setting, min: number): number => {
    const { value = '', name } = read(source);
    const found = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|TB)?$/i.exec(value);
    if (found === null)
      throw new ConfigError(`${name}: expected a size such as 500MB or 20GB, got "${value}"`);
    const size = Math.round(Number(found[1]) * units[(found[2] ?? 'B').toUpperCase() as keyof typeof units]);
    if (size >= min) return size;
    throw new ConfigError(`${name}: expected at least ${min / 1e6}MB, got "${value}"`);
  };

  const dataDir = resolve(read(settings.dataDir).value!);
  const logLevel = read(settings.logLevel);
  if (!['debug', 'info', 'warn', 'error'].includes(logLevel.value!)) {
    throw new ConfigError(`${logLevel.name}: expected debug, info, warn or error, got "${logLevel.value}"`);
  }
  const keyFile = read(settings.secretKeyFile).value;
  return {
    host: read(settings.host).value!,
    port: whole(settings.port, 0, 65_535),
    dataDir,
    secretKeyFile: keyFile === undefined ? join(dataDir, 'secret.key') : resolve(keyFile),
    databaseUrl: readDatabaseUrl(environment),
    logLevel: logLevel.value!,
    metricsToken: read(settings.metricsToken).value,
    trustedProxies: whole(settings.trustedProxies, 0, 10),
    adminEmail: read(settings.adminEmail).value,
    adminPassword: environment[adminPasswordVariable] || undefined,
    readToken: environment[readTokenVariable] || undefined,
    journalMaxBytes: bytes(settings.journalMaxBytes, 100e6),
    journalRetentionHours: whole(settings.journalRetentionHours, 0, 24 * 365),
    minFreeBytes: bytes(settings.minFreeBytes, 0),
    engineMaxMemoryBytes: bytes(settings.engineMaxMemoryBytes, 600e6),
    workers: readWorkers(read(settings.workers)),
  };
}

function readWorkers({ value, name }: { value: string | undefined; name: string }): number {
  if (value === 'auto') return Math.min(maxWorkers, Math.max(1, availableParallelism() - 1));
  const number = /^\d+$/.test(value ?? '') ? Number(value) : Number.NaN;
  if (number >= 1 && number <= maxWorkers) return number;
  throw new ConfigError(`${name}: expected auto or a whole number from 1 to ${maxWorkers}, got "${value}"`);
}

function readDatabaseUrl(environment: NodeJS.ProcessEnv): string | undefined {
  const given = environment[databaseUrlVariable] || undefined;
  const file = environment[databaseUrlFileVariable] || undefined;
  if (given !== undefined && file !== undefined)
    throw new ConfigError(`${databaseUrlVariable}: expected it or ${databaseUrlFileVariable}, got both`);
  if (file === undefined) return given;
  try {
    return readFileSync(file, 'utf8').trim() || refuseEmpty(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${databaseUrlFileVariable}: expected a file with the URL (${why})`);
  }
}

function refuseEmpty(file: string): never {
  throw new ConfigError(
    `${databaseUrlFileVariable}: expected a file with the URL, got ${file}, which is empty`,
  );
}

const units = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
