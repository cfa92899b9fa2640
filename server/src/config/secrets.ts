import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error.ts';
import { settings } from './settings.ts';
import { adminPasswordVariable, readTokenVariable } from './variables.ts';

type Secret = { variable: string; fileVariable: string; what: string };

const secret = (variable: string, what: string): Secret => ({
  variable,
  fileVariable: `${variable}_FILE`,
  what,
});

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
  s3AccessKeyId: secret('TRACKSIDE_S3_ACCESS_KEY_ID', 'the key id'),
  s3SecretAccessKey: secret('TRACKSIDE_S3_SECRET_ACCESS_KEY', 'the key'),
} as const satisfies Record<string, Secret>;

export function readSecret(source: Secret, environment: NodeJS.ProcessEnv): string | undefined {
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
