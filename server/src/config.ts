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
  /** The addresses of a ClickHouse outside, separated by commas. Without any, the server runs an engine. */
  clickhouseUrl: string | undefined;
  clickhouseUser: string | undefined;
  clickhousePassword: string | undefined;
  /** The file with the certificates that sign those of ClickHouse's hosts. */
  clickhouseCaFile: string | undefined;
  /** Where `trackside engine` listens, and who may use it. */
  engineHost: string;
  enginePort: number;
  engineUser: string;
  enginePassword: string | undefined;
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

type Secret = { variable: string; fileVariable: string; what: string };

const secret = (variable: string, what: string): Secret => ({
  variable,
  fileVariable: `${variable}_FILE`,
  what,
});

export const adminPasswordVariable = 'TRACKSIDE_ADMIN_PASSWORD';

export const readTokenVariable = 'TRACKSIDE_READ_TOKEN';

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

/** The settings of `trackside engine` alone. They have the flags of `serve`, but variables of their own. */
export const engineSettings = {
  host: { ...settings.host, variable: 'TRACKSIDE_ENGINE_HOST' },
  port: { flag: 'port', variable: 'TRACKSIDE_ENGINE_PORT', fallback: '8123', help: 'port to listen on' },
} as const satisfies Record<string, Setting>;

const engineUserVariable = 'TRACKSIDE_ENGINE_USER';
export const clickhouseUserVariable = 'TRACKSIDE_CLICKHOUSE_USER';
export const clickhouseCaFileVariable = 'TRACKSIDE_CLICKHOUSE_CA_FILE';

/**
 * What nobody else may read, each from its variable or from the file that a second variable names. Container
 * platforms and systemd hand out files. These have no flags, because other users of the machine can read
 * flags; the token for the metrics has one all the same.
 */
export const secrets = {
  adminPassword: secret(adminPasswordVariable, 'the password'),
  readToken: secret(readTokenVariable, 'the read token'),
  // The URL holds a password.
  databaseUrl: secret('TRACKSIDE_DATABASE_URL', 'the URL'),
  metricsToken: secret(settings.metricsToken.variable, 'the token'),
  // This URL can hold a password too.
  clickhouseUrl: secret('TRACKSIDE_CLICKHOUSE_URL', 'the URL'),
  clickhousePassword: secret('TRACKSIDE_CLICKHOUSE_PASSWORD', 'the password'),
  enginePassword: secret('TRACKSIDE_ENGINE_PASSWORD', 'the password'),
} as const satisfies Record<string, Secret>;

/** The names of all environment variables that mean something. */
export const knownVariables: readonly string[] = [
  ...new Set([
    ...Object.values(settings).map(({ variable }) => variable),
    ...Object.values(engineSettings).map(({ variable }) => variable),
    engineUserVariable,
    clickhouseUserVariable,
    clickhouseCaFileVariable,
    ...Object.values(secrets).flatMap(({ variable, fileVariable }) => [variable, fileVariable]),
  ]),
  // Make the tests longer, and run those of control on PostgreSQL and those of the store outside.
  'TRACKSIDE_LONG_TESTS',
  'TRACKSIDE_TEST_DATABASE',
  'TRACKSIDE_TEST_STORE',
];

export type Flags = Partial<Record<string, string | boolean | undefined>>;

/**
 * Reads each setting from its flag, else from the environment, else from its default. Throws a ConfigError
 * for the first value that is wrong.
 */
export function readConfig(flags: Flags, environment: NodeJS.ProcessEnv): Config {
  const readFlag = ({ flag }: Setting): string | undefined => {
    const given = flags[flag];
    // An empty flag usually comes from a shell variable that is not set. An empty data folder would mean the
    // current one.
    if (given === '') throw new ConfigError(`--${flag}: expected a value, got ""`);
    return typeof given === 'string' ? given : undefined;
  };
  const read = (source: Setting): { value: string | undefined; name: string } => {
    const { flag, variable, fallback } = source;
    const given = readFlag(source);
    if (given !== undefined) return { value: given, name: `--${flag}` };
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
  const clickhouseUrl = readSecret(secrets.clickhouseUrl, environment);
  return {
    host: read(settings.host).value!,
    port: whole(settings.port, 0, 65_535),
    dataDir,
    secretKeyFile: keyFile === undefined ? join(dataDir, 'secret.key') : resolve(keyFile),
    databaseUrl: readSecret(secrets.databaseUrl, environment),
    logLevel: logLevel.value!,
    metricsToken: readFlag(settings.metricsToken) ?? readSecret(secrets.metricsToken, environment),
    trustedProxies: whole(settings.trustedProxies, 0, 10),
    adminEmail: read(settings.adminEmail).value,
    adminPassword: readSecret(secrets.adminPassword, environment),
    readToken: readSecret(secrets.readToken, environment),
    journalMaxBytes: bytes(settings.journalMaxBytes, 100e6),
    journalRetentionHours: whole(settings.journalRetentionHours, 0, 24 * 365),
    minFreeBytes: bytes(settings.minFreeBytes, 0),
    engineMaxMemoryBytes: bytes(settings.engineMaxMemoryBytes, 600e6),
    clickhouseUrl,
    clickhouseUser: environment[clickhouseUserVariable] || undefined,
    clickhousePassword: readSecret(secrets.clickhousePassword, environment),
    clickhouseCaFile: environment[clickhouseCaFileVariable] || undefined,
    engineHost: read(engineSettings.host).value!,
    enginePort: whole(engineSettings.port, 0, 65_535),
    engineUser: environment[engineUserVariable] || 'default',
    enginePassword: readSecret(secrets.enginePassword, environment),
    workers: readWorkers(read(settings.workers), clickhouseUrl !== undefined),
  };
}

function readWorkers(
  { value, name }: { value: string | undefined; name: string },
  isOutside: boolean,
): number {
  const isAuto = value === 'auto';
  // The other processes know only the engine of this server.
  if (isAuto && isOutside) return 1;
  if (isAuto) return Math.min(maxWorkers, Math.max(1, availableParallelism() - 1));
  const number = /^\d+$/.test(value ?? '') ? Number(value) : Number.NaN;
  if (!(number >= 1 && number <= maxWorkers))
    throw new ConfigError(`${name}: expected auto or a whole number from 1 to ${maxWorkers}, got "${value}"`);
  if (number === 1 || !isOutside) return number;
  throw new ConfigError(
    `${name}: expected 1 with ${secrets.clickhouseUrl.variable}, got "${value}": ` +
      'several processes are only possible with the engine of the server',
  );
}

function readSecret(source: Secret, environment: NodeJS.ProcessEnv): string | undefined {
  const { variable, fileVariable, what } = source;
  const given = environment[variable] || undefined;
  const file = environment[fileVariable] || undefined;
  if (given !== undefined && file !== undefined)
    throw new ConfigError(`${variable}: expected it or ${fileVariable}, got both`);
  if (file === undefined) return given;
  // Only the end of the line that an editor or `echo` adds is left out: a password may begin with a space.
  const found = readSecretFile(source, file).replace(/[\r\n]+$/, '');
  if (found.trim() !== '') return found;
  throw new ConfigError(`${fileVariable}: expected a file with ${what}, got ${file}, which is empty`);
}

function readSecretFile({ fileVariable, what }: Secret, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${fileVariable}: expected a file with ${what} (${why})`);
  }
}

const units = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
