import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../test-control.ts';
import { readPostgresUrl } from './read-postgres-url.ts';

test('reads host, port, database, user and password, with their special characters', () => {
  const { tls, ...address } = readPostgresUrl('postgres://ada%40x:p%2Fw%3A1@db.internal:6432/track%20side');
  assert.deepEqual(address, {
    host: 'db.internal',
    port: 6432,
    database: 'track side',
    user: 'ada@x',
    password: 'p/w:1',
    name: 'the PostgreSQL database track side on db.internal:6432',
  });
  assert.equal(tls, undefined);
});

test('reads the folder of a Unix socket, an IPv6 address, and the default port', () => {
  const socket = readPostgresUrl('postgresql://localhost/trackside?host=/run/postgresql');
  assert.deepEqual([socket.host, socket.port], ['/run/postgresql', 5432]);
  assert.equal(socket.name, 'the PostgreSQL database trackside on /run/postgresql');
  assert.equal(readPostgresUrl('postgres://[fd00::1]/trackside').host, 'fd00::1');
});

test('checks certificates as far as sslmode says', async (t) => {
  const root = join(await makeFolder(t), 'root.crt');
  await writeFile(root, 'a certificate');
  const tls = (query: string) => readPostgresUrl(`postgres://db/trackside?${query}`).tls;
  assert.equal(tls('sslmode=disable'), undefined);
  assert.deepEqual(tls('sslmode=require'), { rejectUnauthorized: false });
  assert.deepEqual(tls('sslmode=verify-full'), { rejectUnauthorized: true });
  assert.deepEqual(tls(`sslmode=verify-full&sslrootcert=${root}`), {
    rejectUnauthorized: true,
    ca: 'a certificate',
  });
  const anyName = tls(`sslmode=verify-ca&sslrootcert=${root}`);
  assert.equal(anyName?.rejectUnauthorized, true);
  assert.equal(anyName?.checkServerIdentity?.(), undefined);
  assert.equal(tls(`sslmode=require&sslrootcert=${root}`)?.rejectUnauthorized, true);
});

const refused: Record<string, RegExp> = {
  'postgres://u:p4ssw0rd@ho st/db': /percent-encoded/,
  'mysql://u:p4ssw0rd@db/trackside': /begin with postgres:/,
  'postgres://u:p4ssw0rd@db': /name of a database/,
  'postgres://u:p4ssw0rd@db/%E0': /percent-encoded/,
  'postgres://u:p4ssw0rd@db/trackside?sslmode=prefer': /sslmode disable, require, .* got "prefer"/,
  'postgres://u:p4ssw0rd@db/trackside?ssl=true': /parameters sslmode, .* got "ssl"/,
  'postgres://u:p4ssw0rd@db/trackside?sslmode=verify-ca&sslrootcert=/none': /cannot read the certificate/,
  'postgres://u:p4ssw0rd@db/trackside?sslrootcert=/none': /cannot read|verify-full/,
};
for (const [url, says] of Object.entries(refused)) {
  test(`refuses ${url.replace('u:p4ssw0rd@', '')} without repeating the password`, () => {
    assert.throws(
      () => readPostgresUrl(url),
      (error: Error) => {
        assert.equal(error.name, 'ControlOpenError');
        assert.match(error.message, says);
        assert.match(error.message, /^TRACKSIDE_DATABASE_URL: /);
        assert.doesNotMatch(error.message, /p4ssw0rd/);
        return true;
      },
    );
  });
}
