import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../config/read-config.ts';
import { readOutsideStore } from './read-outside-store.ts';

const read = (environment: Record<string, string>) => readOutsideStore(readConfig({}, environment));

test('without a URL, the server runs its own engine', () => {
  assert.equal(read({ TRACKSIDE_CLICKHOUSE_USER: 'shop' }), undefined);
});

test('reads several hosts, and user and password from their URLs or from variables', () => {
  const inUrl = read({
    TRACKSIDE_CLICKHOUSE_URL: 'https://shop:a%40b%3A@one:8443, https://shop:a%40b%3A@two:8443',
  });
  assert.deepEqual(inUrl?.hosts.urls, ['https://one:8443', 'https://two:8443']);
  assert.deepEqual([inUrl?.user, inUrl?.password], ['shop', 'a@b:']);
  const apart = read({
    TRACKSIDE_CLICKHOUSE_URL: 'http://one:8123',
    TRACKSIDE_CLICKHOUSE_USER: 'shop',
    TRACKSIDE_CLICKHOUSE_PASSWORD: 'p4ssw0rd',
  });
  assert.deepEqual([apart?.user, apart?.password], ['shop', 'p4ssw0rd']);
  const neither = read({ TRACKSIDE_CLICKHOUSE_URL: 'http://one:8123' });
  assert.deepEqual([neither?.user, neither?.password], ['default', '']);
});

test('refuses what cannot be meant, without repeating the password', () => {
  const wrong = [
    'one:8123',
    'ftp://shop:p4ssw0rd@one',
    'http://shop:p4ssw0rd@one:8123/path',
    'http://shop:p4ssw0rd@one:8123?database=x',
    'http://one:8123,',
    'http://shop:%zz-p4ssw0rd@one:8123',
    'http://shop:p4ssw0rd@one:8123,http://shop:other@two:8123',
  ];
  for (const url of wrong) {
    const refused = (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /^TRACKSIDE_CLICKHOUSE_URL: expected /);
      assert.ok(!error.message.includes('p4ssw0rd'));
      return true;
    };
    assert.throws(() => read({ TRACKSIDE_CLICKHOUSE_URL: url }), refused, url);
  }
  const both = {
    TRACKSIDE_CLICKHOUSE_URL: 'http://shop@one:8123',
    TRACKSIDE_CLICKHOUSE_PASSWORD: 'p4ssw0rd',
  };
  assert.throws(() => read(both), { message: /got both$/ });
  const ca = { TRACKSIDE_CLICKHOUSE_URL: 'https://one', TRACKSIDE_CLICKHOUSE_CA_FILE: '/not/there' };
  assert.throws(() => read(ca), { message: /^TRACKSIDE_CLICKHOUSE_CA_FILE: expected a file .*ENOENT/ });
});
