import { readOutsideStore } from '../../src/commands/parts/read-outside-store.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { OutsideStore } from '../../src/store/store-address.ts';
import { enginePassword, engineUser } from './start-engine-service.ts';

/** The settings of a server that uses these hosts as its store. */
export function outsideEnvironment(...origins: string[]): Record<string, string> {
  return {
    TRACKSIDE_CLICKHOUSE_URL: origins.join(','),
    TRACKSIDE_CLICKHOUSE_USER: engineUser,
    TRACKSIDE_CLICKHOUSE_PASSWORD: enginePassword,
  };
}

export function outsideStoreAt(...origins: string[]): OutsideStore {
  return readOutsideStore(readConfig({}, outsideEnvironment(...origins)))!;
}
