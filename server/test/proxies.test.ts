import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkOutside } from '../src/commands/server/doctor/check-outside.ts';
import { findFreePort } from './support/find-free-port.ts';
import { makeCertificate } from './support/make-certificate.ts';
import { pageView, post } from './support/records.ts';
import { useTracksideHereOfProcess } from './support/share-trackside.ts';
import { main } from './support/spawn-server.ts';
import { startCaddy } from './support/start-caddy.ts';
import type { TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

let trackside: TracksideHere;
const startShared = useTracksideHereOfProcess();
before(async () => {
  trackside = await startShared();
});

const hasTools = (...tools: string[]) =>
  tools.every((tool) => spawnSync(tool, ['version']).error === undefined);
const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** Proxies that people run who have not read the documentation. */
const careless = (port: number, upstream: string) => `
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 100k;
    location / { proxy_pass ${upstream}; proxy_set_header Via x; }
  }`;

type Ports = { everything: number; tracking: number; careless: number };

/** Starts nginx with the documented files, changed only in their ports and in where the certificate is. */
async function startNginx(t: TestContext): Promise<{ ports: Ports; certificate: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-nginx-'));
  const { certificate, key } = makeCertificate(folder);
  const ports = {
    everything: await findFreePort(),
    tracking: await findFreePort(),
    careless: await findFreePort(),
  };
  const plain = await findFreePort();
  const upstream = new URL(trackside.origin()).host;
  const fit = (name: string, port: number) =>
    readFileSync(join(deploy, 'nginx', name), 'utf8')
      .replaceAll(/listen \[::\].*/g, '')
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replaceAll('127.0.0.1:8080', upstream)
      .replaceAll(/\S+fullchain\.pem/g, certificate)
      .replaceAll(/\S+privkey\.pem/g, key);
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${fit('trackside.conf', ports.everything)}
      ${fit('tracking-only.conf', ports.tracking)}
      ${careless(ports.careless, trackside.origin())}
    }`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  t.after(async () => {
    const isOver = once(nginx, 'exit');
    nginx.kill('SIGQUIT');
    await isOver;
    rmSync(folder, { recursive: true, force: true });
  });
  await waitFor('nginx to answer', async () => {
    if (nginx.exitCode !== null) assert.fail(readFileSync(join(folder, 'error.log'), 'utf8'));
    return await fetch(`http://127.0.0.1:${ports.careless}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { ports, certificate };
}

/** Runs the command as an operator does, because only a separate process can trust the certificate. */
async function runDoctor(url: string, certificate: string) {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate };
  const words = [main, 'doctor', '--url', url, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  return JSON.parse(stdout).findings as { state: string; says: string; todo?: string }[];
}

/** Checks the documented ways of passing on with the command that operators check them with. */
async function tryBoth(
  t: TestContext,
  ports: { everything: number; tracking: number },
  certificate: string,
): Promise<void> {
  await t.test('when everything is passed on', async () => {
    const findings = await runDoctor(`https://localhost:${ports.everything}`, certificate);
    assert.deepEqual(
      findings.map(({ state, says }) => `${state} ${says}`),
      [
        `ok https://localhost:${ports.everything} reaches Trackside`,
        'ok tracking requests are passed on',
        'ok the web application opens, and accepts sign-ins',
        'ok /metrics is not public',
        'ok Trackside knows that it is reached by https',
      ],
    );
  });
  await t.test('when only tracking is passed on', async () => {
    const findings = await runDoctor(`https://localhost:${ports.tracking}`, certificate);
    assert.ok(
      findings.every(({ state }) => state === 'ok'),
      JSON.stringify(findings),
    );
    assert.ok(
      findings.some(({ says }) => says.startsWith('the web application is not reachable here (404)')),
    );
  });
}

test('the documented nginx files work, and doctor finds what is wrong with others', async (t) => {
  if (!hasTools('nginx', 'openssl')) {
    t.diagnostic('not run: nginx and openssl are not installed');
    return;
  }
  const { ports, certificate } = await startNginx(t);
  await tryBoth(t, ports, certificate);
  await t.test('a proxy without any settings', async () => {
    const findings = await checkOutside(new URL(`http://127.0.0.1:${ports.careless}`));
    const todo = findings.flatMap((finding) => finding.todo ?? []).join('\n');
    assert.match(todo, /client_max_body_size/);
    assert.match(todo, /proxy_set_header Host/);
  });
  await t.test('passes a record through', async () => {
    const { apiKey } = await trackside.addWebsite('proxied.test');
    await waitFor('the key to be known', async () => {
      const origin = `http://127.0.0.1:${ports.careless}`;
      return (await post(origin, '/api/page-view', apiKey, pageView())).status === 200;
    });
  });
});

test('the documented Caddy files work', async (t) => {
  if (!hasTools('caddy', 'openssl')) {
    t.diagnostic('not run: caddy and openssl are not installed');
    return;
  }
  const { ports, certificate } = await startCaddy(t, new URL(trackside.origin()).host);
  await tryBoth(t, ports, certificate);
});

test('doctor says what is wrong with an address', async () => {
  const [nobody] = await checkOutside(new URL(`http://127.0.0.1:${await findFreePort()}`));
  assert.match(nobody!.says, /does not answer \(.*ECONNREFUSED/);
  const here = await checkOutside(new URL(trackside.origin()));
  assert.deepEqual(
    here.map(({ state }) => state),
    ['ok', 'ok', 'ok', 'warning'],
    'on the machine itself, the metrics are open, which is no fault',
  );
  assert.match(here.at(-1)!.todo!, /check the public address/);
  const { code, stderr } = await trackside.runHere('doctor', '--url', 'stats.example.com');
  assert.equal(code, 1);
  assert.match(stderr, /--url: expected an address such as https/);
});
