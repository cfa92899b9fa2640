import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestPostgres } from '../src/control/test-postgres.ts';
import { findFreePort } from './support/find-free-port.ts';
import { makeCertificate } from './support/make-certificate.ts';
import { runHere } from './support/run-here.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

test('checks the certificate of PostgreSQL as far as sslmode says', async (t) => {
  if (!hasOpenssl) {
    t.diagnostic('not run: openssl is not installed');
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL runs as another user, who can't look into this folder.
  const { certificate, key } = makeCertificate(folder);
  const port = await findFreePort();
  const postgres = await startTestPostgres({ port, certificate, key });
  t.after(() => postgres.kill());
  await postgres.run('postgres', 'create database trackside template template0');
  const open = (host: string, mode: string) =>
    runHere(['website', 'list', '--data-dir', join(folder, 'data')], {
      TRACKSIDE_DATABASE_URL: `postgres://trackside@${host}:${port}/trackside?sslmode=${mode}`,
    });
  const trusted = `&sslrootcert=${certificate}`;
  const opens = async (host: string, mode: string) => {
    const { code, stderr } = await open(host, mode);
    assert.equal(code, 0, `${mode} at ${host}: ${stderr}`);
  };
  const refuses = async (host: string, mode: string, why: RegExp) => {
    const { code, stderr } = await open(host, mode);
    assert.notEqual(code, 0, `${mode} at ${host}`);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr, /\n./, 'in one line');
  };

  await opens('localhost', `verify-full${trusted}`);
  await opens('127.0.0.1', `verify-ca${trusted}`);
  await opens('127.0.0.1', 'require');
  await refuses(
    'localhost',
    'verify-full',
    /certificate that is not trusted \(self-signed certificate\)\. Set sslrootcert/,
  );
  await refuses('localhost', 'verify-ca', /self-signed certificate/);
  await refuses('127.0.0.1', `verify-full${trusted}`, /not trusted \(Hostname.*127\.0\.0\.1/);

  const [row] = await postgres.run(
    'trackside',
    "select count(*)::int as tables from information_schema.tables where table_schema = 'public'",
  );
  assert.ok((row?.tables as number) > 5, 'what came by TLS is there');
});
