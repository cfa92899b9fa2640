import { ConfigError } from './config-error.ts';
import { secrets } from './secrets.ts';
import { clickhouseClusterVariable, clickhouseQuorumVariable } from './variables.ts';

export function readCluster(given: string | undefined, isOutside: boolean): string | undefined {
  if (given === undefined || given === '') return undefined;
  // The name becomes a part of statements.
  if (!/^[\w.-]{1,100}$/.test(given))
    throw new ConfigError(
      `${clickhouseClusterVariable}: expected a name of letters, digits, ".", "_" and "-", got "${given}"`,
    );
  if (isOutside) return given;
  throw new ConfigError(
    `${clickhouseClusterVariable}: expected ${secrets.clickhouseUrl.variable} to be set as well, got no URL`,
  );
}

export function readQuorum(given: string): string {
  if (/^(?:auto|[1-9]\d?)$/.test(given)) return given;
  throw new ConfigError(
    `${clickhouseQuorumVariable}: expected auto or a whole number from 1 to 99, got "${given}"`,
  );
}
