import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testLong } from '../../../server/test/support/long-form.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';

const start = fileURLToPath(new URL('../start.ts', import.meta.url));
const freePorts = ['--express-port', '0', '--hono-port', '0', '--trackside-port', '0'];

testLong('one command starts both shops and Trackside, says what to open, and stops all of it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-shop-'));
  const child = spawn(process.execPath, [start, ...freePorts, '--data-dir', folder]);
  t.after(async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await waitFor('it to be there', () => {
    assert.equal(child.exitCode, null, said);
    return said.includes('Ctrl-C');
  });
  const address = (pattern: RegExp) => pattern.exec(said)?.[1] ?? assert.fail(said);
  const shops = [address(/on Express: (\S+)/), address(/on Hono: +(\S+)/)];
  const trackside = new URL(address(/Trackside: +(\S+\/setup#\S+)/)).origin;

  for (const shop of shops) {
    const page = await (await fetch(`${shop}/maps/islands/skerra`)).text();
    assert.match(page, /<h1>Skerra<\/h1>/);
    const script = await fetch(`${shop}/side`);
    assert.equal(script.status, 200);
    assert.match(script.headers.get('content-type') ?? '', /javascript/);
    assert.equal((await fetch(`${shop}/shop.css`)).status, 200);
    assert.equal((await fetch(`${shop}/maps/nowhere`)).status, 404);
  }
  assert.equal((await fetch(`${trackside}/health`)).status, 200);

  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, said);
  for (const origin of [...shops, trackside]) await assert.rejects(fetch(origin), origin);
});

test('says which flag is wrong and what it should be', () => {
  const run = (...flags: string[]) => spawnSync(process.execPath, [start, ...flags], { encoding: 'utf8' });
  const key = run('--trackside-url', 'http://127.0.0.1:8080');
  assert.deepEqual(
    [key.status, key.stderr],
    [2, '--api-key: expected a value, because --trackside-url is set. Set both or neither.\n'],
  );
  const port = run('--hono-port', 'http');
  assert.deepEqual(
    [port.status, port.stderr],
    [2, '--hono-port: expected a whole number from 0 to 65535, got "http"\n'],
  );
  const help = run('--help');
  assert.equal(help.status, 0);
  assert.match(help.stdout, /--trackside-url URL/);
});
