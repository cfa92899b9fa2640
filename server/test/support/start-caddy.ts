import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './find-free-port.ts';
import { makeCertificate } from './make-certificate.ts';
import { waitFor } from './wait-for.ts';

const deploy = fileURLToPath(new URL('../../../deploy/caddy/', import.meta.url));

/** Starts Caddy with the documented files, changed only in their addresses and in where the certificate is. */
export async function startCaddy(
  t: TestContext,
  upstream: string,
): Promise<{ ports: { everything: number; tracking: number }; certificate: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-caddy-'));
  const { certificate, key } = makeCertificate(folder);
  const ports = { everything: await findFreePort(), tracking: await findFreePort() };
  const fit = (name: string, port: number) =>
    readFileSync(join(deploy, name), 'utf8')
      .replace(
        /^(?:\{\$SITE:stats\.example\.com\}|track\.example\.com) \{/m,
        `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
      )
      .replaceAll('127.0.0.1:8080', upstream);
  const file = join(folder, 'Caddyfile');
  writeFileSync(
    file,
    `{\n\tadmin off\n\tauto_https disable_redirects\n}\n` +
      fit('Caddyfile', ports.everything) +
      fit('tracking-only.Caddyfile', ports.tracking),
  );
  // It keeps its state below these folders.
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const words = ['run', '--config', file, '--adapter', 'caddyfile'];
  const caddy = spawn('caddy', words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  caddy.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const isOver = once(caddy, 'exit');
  t.after(async () => {
    caddy.kill('SIGTERM');
    await isOver;
    rmSync(folder, { recursive: true, force: true });
  });
  await waitFor('Caddy to serve', () => {
    if (caddy.exitCode !== null) assert.fail(output);
    return output.includes('serving initial configuration');
  });
  return { ports, certificate };
}
