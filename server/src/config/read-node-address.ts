import { ConfigError } from './config-error.ts';
import type { Given } from './create-setting-reader.ts';

export function readNodeAddress({ value, name }: Given) {
  if (value === undefined) return undefined;
  const found = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(value);
  const port = Number(found?.[3]);
  if (found !== null && port >= 1 && port <= 65_535) return { host: (found[1] ?? found[2])!, port };
  throw new ConfigError(`${name}: expected an address and a port such as 10.0.0.5:8081, got "${value}"`);
}
