import { availableParallelism } from 'node:os';
import { ConfigError } from './config-error.ts';
import type { Given } from './create-setting-reader.ts';
import { secrets } from './secrets.ts';

const maxWorkers = 64;

export function readWorkers({ value, name }: Given, isOutside: boolean): number {
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
