import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import type { Flags } from './create-setting-reader.ts';
import { knownVariables } from './known-variables.ts';
import { readConfig } from './read-config.ts';
import { secrets } from './secrets.ts';
import { settings } from './settings.ts';

test('uses the defaults when nothing is given', () => {
  assert.deepEqual(readConfig({}, {}), {
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('data'),
    secretKeyFile: resolve('data', 'secret.key'),
    databaseUrl: undefined,
    logLevel: 'info',
    metricsToken: undefined,
    trustedProxies: 0,
    adminEmail: undefined,
    adminPassword: undefined,
    readToken: undefined,
    journalMaxBytes: 20e9,
    journalRetentionHours: 6,
    lateHours: 25,
    minFreeBytes: 512e6,
    engineMaxMemoryBytes: 2e9,
    clickhouseUrl: undefined,
    clickhouseUser: undefined,
    clickhousePassword: undefined,
    clickhouseCaFile: undefined,
    clickhouseCluster: undefined,
    clickhouseQuorum: 'auto',
    engineHost: '127.0.0.1',
    enginePort: 8123,
    engineUser: 'default',
    enginePassword: undefined,
    s3Endpoint: undefined,
    s3Region: 'us-east-1',
    s3AccessKeyId: undefined,
    s3SecretAccessKey: undefined,
    workers: 1,
    enginePriority: 'auto',
    ack: 'disk',
    nodeAddress: undefined,
  });
});

/** Each setting with a value for the environment, one for the flag, and what both are read as. */
const given: Record<keyof typeof settings, [string, unknown, string, unknown]> = {
  host: ['0.0.0.0', '0.0.0.0', '::1', '::1'],
  port: ['81', 81, '0', 0],
  dataDir: ['/srv/a', '/srv/a', 'b', resolve('b')],
  secretKeyFile: ['/etc/key', '/etc/key', 'key', resolve('key')],
  logLevel: ['debug', 'debug', 'error', 'error'],
  metricsToken: ['one', 'one', 'two', 'two'],
  trustedProxies: ['1', 1, '2', 2],
  adminEmail: ['ada@example.com', 'ada@example.com', 'bob@example.com', 'bob@example.com'],
  journalMaxBytes: ['1GB', 1e9, '500MB', 5e8],
  journalRetentionHours: ['0', 0, '8760', 8760],
  lateHours: ['0', 0, '72', 72],
  minFreeBytes: ['1KB', 1000, '0', 0],
  engineMaxMemoryBytes: ['1.5GB', 1.5e9, '900MB', 9e8],
  enginePriority: ['idle', 'idle', 'low', 'low'],
  ack: ['store', 'store', 'disk', 'disk'],
  nodeAddress: ['10.0.0.5:8081', { host: '10.0.0.5', port: 8081 }, '[::1]:81', { host: '::1', port: 81 }],
  workers: ['64', 64, 'auto', Math.min(64, Math.max(1, availableParallelism() - 1))],
};

for (const [name, [inEnvironment, fromEnvironment, inFlag, fromFlag]] of Object.entries(given)) {
  const { flag, variable } = settings[name as keyof typeof settings];
  test(`--${flag} overrides ${variable}, which overrides the default`, () => {
    const read = (flags: Flags, environment: NodeJS.ProcessEnv) =>
      readConfig(flags, environment)[name as keyof Config];
    assert.equal(variable, `TRACKSIDE_${flag.toUpperCase().replaceAll('-', '_')}`);
    assert.deepEqual(read({}, { [variable]: inEnvironment }), fromEnvironment);
    assert.deepEqual(read({ [flag]: inFlag }, { [variable]: inEnvironment }), fromFlag);
    assert.deepEqual(read({ [flag]: inFlag }, {}), fromFlag);
    assert.deepEqual(
      read({}, { [variable]: '' }),
      readConfig({}, {})[name as keyof Config],
      'empty means not set',
    );
    assert.deepEqual(read({ [flag]: undefined }, {}), readConfig({}, {})[name as keyof Config]);
  });
}

test('several processes are only possible with the engine of the server', () => {
  const read = (workers: string) =>
    readConfig({ workers }, { TRACKSIDE_CLICKHOUSE_URL: 'http://db:8123' }).workers;
  assert.equal(read('1'), 1);
  assert.equal(read('auto'), 1);
  assert.throws(
    () => read('2'),
    /^ConfigError: --workers: expected 1 with TRACKSIDE_CLICKHOUSE_URL, got "2"/,
  );
});

test('takes the password of the first user only from the environment', () => {
  const read = (password: string) => readConfig({}, { TRACKSIDE_ADMIN_PASSWORD: password }).adminPassword;
  assert.equal(read(' tea at eleven '), ' tea at eleven ');
  assert.equal(read(''), undefined, 'empty means not set');
  assert.equal(readConfig({ 'admin-password': 'tea at eleven' }, {}).adminPassword, undefined);
  assert.ok(Object.values(settings).every(({ flag }) => flag !== 'admin-password'));
});

test('the key file is in the data folder unless another one is named', () => {
  assert.equal(readConfig({ 'data-dir': '/srv/t' }, {}).secretKeyFile, join('/srv/t', 'secret.key'));
});

const bad: [name: keyof typeof settings, values: string[], expected: string][] = [
  ['port', ['65536', '-1', '80.5', 'http', '0x50', '8 0', '1e3'], 'expected a whole number from 0 to 65535'],
  ['workers', ['0', '65', 'many', '1.5'], 'expected auto or a whole number from 1 to 64'],
  ['lateHours', ['-1', '73', '25h', '1.5'], 'expected a whole number from 0 to 72'],
  ['journalRetentionHours', ['-1', '8761', '6h', '1.5'], 'expected a whole number from 0 to 8760'],
  ['logLevel', ['trace', 'INFO', 'verbose'], 'expected debug, info, warn or error'],
  [
    'journalMaxBytes',
    ['-1', 'GB', '10 potatoes', '1,5GB', '5G', '0x10', '.5GB'],
    'expected a size such as 500MB or 20GB',
  ],
  ['minFreeBytes', ['lots', '10%'], 'expected a size such as 500MB or 20GB'],
  ['engineMaxMemoryBytes', ['2 GiB', 'NaN'], 'expected a size such as 500MB or 20GB'],
];

for (const [name, values, expected] of bad) {
  const { flag, variable } = settings[name];
  test(`reports a bad --${flag} in one line that names its origin`, () => {
    for (const value of values) {
      const refused = (source: string) => (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.equal(error.message, `${source}: ${expected}, got "${value}"`);
        return true;
      };
      assert.throws(() => readConfig({ [flag]: value }, {}), refused(`--${flag}`));
      assert.throws(() => readConfig({}, { [variable]: value }), refused(variable));
    }
  });
}

test('refuses a flag without a value, even where any text is allowed', () => {
  for (const { flag } of Object.values(settings)) {
    assert.throws(() => readConfig({ [flag]: '' }, {}), {
      name: 'ConfigError',
      message: `--${flag}: expected a value, got ""`,
    });
  }
});

test('refuses sizes that cannot work, and names the minimum', () => {
  assert.throws(
    () => readConfig({ 'journal-max-bytes': '99MB' }, {}),
    /--journal-max-bytes: expected at least 100MB, got "99MB"/,
  );
  assert.throws(
    () => readConfig({ 'engine-max-memory-bytes': '0' }, {}),
    /--engine-max-memory-bytes: expected at least 600MB/,
  );
});

test('sizes are decimal, in any letter case, with or without a space', () => {
  const read = (size: string) => readConfig({ 'min-free-bytes': size }, {}).minFreeBytes;
  const sizes = {
    '123': 123,
    '7B': 7,
    '1kb': 1000,
    '2 MB': 2e6,
    '3Gb': 3e9,
    '4tb': 4e12,
    '0.5KB': 500,
    '1.0005KB': 1001,
  };
  for (const [text, bytes] of Object.entries(sizes)) assert.equal(read(text), bytes, text);
});

const secretValues: Record<keyof typeof secrets, string> = {
  adminPassword: ' tea at eleven ',
  readToken: 'a read token',
  databaseUrl: 'postgres://trackside:p4ssw0rd@db/trackside',
  metricsToken: 'a token',
  enginePassword: 'a password',
  clickhouseUrl: 'https://shop:p4ssw0rd@db:8443',
  clickhousePassword: 'another password',
  s3AccessKeyId: 'a key id',
  s3SecretAccessKey: 'a key',
};

for (const [name, value] of Object.entries(secretValues)) {
  const { variable, fileVariable } = secrets[name as keyof typeof secrets];
  test(`reads ${variable} from its variable or from a file, and never from both`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'trackside-config-'));
    t.after(() => rm(folder, { recursive: true }));
    const write = async (file: string, text: string) => {
      await writeFile(join(folder, file), text);
      return join(folder, file);
    };
    const read = (environment: NodeJS.ProcessEnv) => readConfig({}, environment)[name as keyof Config];
    const file = await write('value', `${value}\n`);
    assert.equal(read({ [variable]: '', [fileVariable]: '' }), undefined);
    assert.equal(read({ [variable]: value }), value);
    assert.equal(read({ [fileVariable]: file }), value);
    assert.equal(read({ [fileVariable]: await write('from-windows', `${value}\r\n`) }), value);
    assert.equal(read({ [fileVariable]: await write('one-line', value) }), value);
    assert.throws(() => read({ [variable]: value, [fileVariable]: file }), {
      name: 'ConfigError',
      message: `${variable}: expected it or ${fileVariable}, got both`,
    });
    const refuses = (path: string, why: RegExp) => {
      const refused = (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.ok(error.message.startsWith(`${fileVariable}: expected a file with the `), error.message);
        assert.match(error.message, why);
        return true;
      };
      assert.throws(() => read({ [fileVariable]: path }), refused);
    };
    refuses(await write('empty', ' \n'), /which is empty/);
    refuses(join(folder, 'none'), /ENOENT/);
    refuses(folder, /EISDIR/);
    assert.ok(knownVariables.includes(fileVariable));
  });
}

test('--metrics-token overrides a file with the token', () => {
  const environment = { TRACKSIDE_METRICS_TOKEN_FILE: '/not/there' };
  assert.equal(readConfig({ 'metrics-token': 'one' }, environment).metricsToken, 'one');
});

test('a cluster needs a URL, a name that fits into a statement, and a quorum', () => {
  const of = (environment: Record<string, string>) =>
    readConfig({}, { TRACKSIDE_CLICKHOUSE_URL: 'http://db:8123', ...environment });
  const config = of({ TRACKSIDE_CLICKHOUSE_CLUSTER: 'eu-1', TRACKSIDE_CLICKHOUSE_QUORUM: '2' });
  assert.deepEqual([config.clickhouseCluster, config.clickhouseQuorum], ['eu-1', '2']);
  assert.throws(
    () => of({ TRACKSIDE_CLICKHOUSE_CLUSTER: "a' drop" }),
    /^ConfigError: TRACKSIDE_CLICKHOUSE_CLUSTER: expected a name of letters/,
  );
  for (const quorum of ['0', 'all', '100'])
    assert.throws(
      () => of({ TRACKSIDE_CLICKHOUSE_QUORUM: quorum }),
      /^ConfigError: TRACKSIDE_CLICKHOUSE_QUORUM: expected auto or a whole number from 1 to 99/,
    );
  assert.throws(
    () => readConfig({}, { TRACKSIDE_CLICKHOUSE_CLUSTER: 'eu' }),
    /^ConfigError: TRACKSIDE_CLICKHOUSE_CLUSTER: expected TRACKSIDE_CLICKHOUSE_URL to be set/,
  );
});
