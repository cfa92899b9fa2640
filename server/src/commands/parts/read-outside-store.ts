import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { secrets } from '../../config/secrets.ts';
import { clickhouseCaFileVariable, clickhouseUserVariable } from '../../config/variables.ts';
import { createStoreCluster } from '../../store/cluster/store-cluster.ts';
import { createStoreHosts } from '../../store/create-store-hosts.ts';
import type { OutsideStore } from '../../store/store-address.ts';

type Settings = Pick<
  Config,
  | 'clickhouseUrl'
  | 'clickhouseUser'
  | 'clickhousePassword'
  | 'clickhouseCaFile'
  | 'clickhouseCluster'
  | 'clickhouseQuorum'
  | 'engineMaxMemoryBytes'
>;

const { variable } = secrets.clickhouseUrl;

/**
 * Reads from the settings which store outside is used. Undefined if the server runs its own engine. No
 * message repeats a URL, because it can hold a password.
 */
export function readOutsideStore(settings: Settings): OutsideStore | undefined {
  const { clickhouseUrl, clickhouseUser, clickhousePassword, clickhouseCaFile, clickhouseCluster } = settings;
  if (clickhouseUrl === undefined) return undefined;
  const urls = clickhouseUrl.split(',').map((text, index) => readUrl(text.trim(), index + 1));
  const users = new Set(urls.map(({ username, password }) => `${username}:${password}`));
  users.delete(':');
  if (users.size > 1)
    throw new ConfigError(`${variable}: expected the same user and password in each URL, got different ones`);
  const named = urls.find(({ username, password }) => username !== '' || password !== '');
  if (named !== undefined && (clickhouseUser ?? clickhousePassword) !== undefined)
    throw new ConfigError(
      `${variable}: expected user and password in it, or in ${clickhouseUserVariable} and ` +
        `${secrets.clickhousePassword.variable}, got both`,
    );
  return {
    hosts: createStoreHosts(urls.map(({ origin }) => origin)),
    user: (named && decodeURIComponent(named.username)) || clickhouseUser || 'default',
    password: (named && decodeURIComponent(named.password)) ?? clickhousePassword ?? '',
    caPem: clickhouseCaFile === undefined ? undefined : readCa(clickhouseCaFile),
    maxStatementBytes: Math.floor(settings.engineMaxMemoryBytes / 2),
    cluster:
      clickhouseCluster === undefined
        ? undefined
        : createStoreCluster({ name: clickhouseCluster, quorum: settings.clickhouseQuorum }),
  };
}

function readUrl(text: string, place: number): URL {
  const url = URL.parse(text);
  const isPlain = url !== null && url.pathname === '/' && url.search === '' && url.hash === '';
  if (isPlain && /^https?:$/.test(url.protocol) && isDecodable(url.username) && isDecodable(url.password))
    return url;
  throw new ConfigError(
    `${variable}: expected URLs such as https://db.internal:8443, separated by commas, ` +
      `got something else in place ${place}`,
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function readCa(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${clickhouseCaFileVariable}: expected a file with certificates (${why})`);
  }
}
