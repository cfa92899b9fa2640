import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/*
 * Has Schemathesis (from PyPI, not a dependency of ours) make up requests from the OpenAPI document, and send
 * them to a real server on 127.0.0.1 with its own folder. It must be in the PATH, or be named by
 * SCHEMATHESIS. The first argument is how many requests it makes up for each operation and phase.
 */
const command = process.env.SCHEMATHESIS ?? 'schemathesis';
const examples = process.argv[2] ?? '25';
const port = process.env.PORT ?? '18099';
const origin = `http://127.0.0.1:${port}`;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

if (spawnSync(command, ['--version']).status !== 0) {
  process.stderr.write('Schemathesis is not installed: pip install schemathesis\n');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'trackside-schemathesis-'));
const findings = mkdtempSync(join(tmpdir(), 'trackside-findings-'));
const admin = { email: 'ada@example.com', password: 'not the one of the examples' };
const server = spawn(process.execPath, [here('../server/src/main.ts'), 'serve'], {
  stdio: 'ignore',
  env: {
    ...process.env,
    TRACKSIDE_DATA_DIR: folder,
    TRACKSIDE_PORT: port,
    TRACKSIDE_ADMIN_EMAIL: admin.email,
    TRACKSIDE_ADMIN_PASSWORD: admin.password,
  },
});
process.once('exit', () => server.kill());
try {
  process.exitCode = await tryAll();
} finally {
  server.kill('SIGTERM');
  await new Promise((ended) => server.once('exit', ended));
  for (const one of [folder, findings]) rmSync(one, { recursive: true });
}

async function tryAll(): Promise<number> {
  while (!(await isReady())) await delay(200);
  const signedIn = await ask('POST', '/api/session', admin);
  const cookie = signedIn.headers
    .getSetCookie()
    .find((one) => one.startsWith('trackside_session='))!
    .split(';')[0]!;
  const form = { domain: 'schemathesis.example', timezone: 'UTC', contingent: null };
  type Answer = { id: number; apiKey: string; token: string };
  const read = async (response: Promise<Response>) => (await (await response).json()) as Answer;
  const { id } = await read(ask('POST', '/api/websites', form, cookie));
  const { apiKey } = await read(ask('GET', `/api/websites/${id}/key`, undefined, cookie));
  const { token } = await read(ask('POST', `/api/websites/${id}/tokens`, { name: 'Reader' }, cookie));
  const secrets = {
    TRACKSIDE_WEBSITE: String(id),
    TRACKSIDE_API_KEY: apiKey,
    TRACKSIDE_READ_TOKEN: token,
    TRACKSIDE_SESSION: cookie.split('=')[1]!,
  };
  const fromOwnPage = ['-H', `Origin: ${origin}`];
  // Signing in or out ends the session that the others need, so these are tried last and without it.
  const ownSession = ['postSession', 'deleteSession', 'deleteSessions', 'postSetup'];
  const but = ownSession.flatMap((name) => ['--exclude-operation-id', name]);
  const only = ownSession.flatMap((name) => ['--include-operation-id', name]);
  const sending = ['--include-tag', 'tracking', '--include-tag', 'operating'];
  const all = '--phases=examples,coverage,fuzzing';
  const runs = [
    // Every valid record must be accepted. Which are valid, the formats know.
    { flags: [...sending, '--phases=examples,fuzzing'], hooks: here('schemathesis-formats.py') },
    // Goes through the limits of each member one by one. It would look for a page of 8,192 letters for hours.
    { flags: [...sending, '--phases=coverage', '--exclude-checks=positive_data_acceptance'] },
    { flags: ['--include-tag', 'statistics', all] },
    { flags: ['--include-tag', 'settings', all, ...but, ...fromOwnPage] },
    { flags: [...only, all, ...fromOwnPage] },
  ];
  return runs.map((run) => tryOne(run, secrets)).some((status) => status !== 0) ? 1 : 0;
}

/** Whether the statistics are there too. What erases and exports waits for them, longer than it is waited for. */
async function isReady(): Promise<boolean> {
  const response = await fetch(`${origin}/health`).catch(() => undefined);
  if (response?.ok !== true) return false;
  const { degraded } = (await response.json()) as { degraded: unknown[] };
  return degraded.length === 0;
}

function tryOne(
  { flags, hooks }: { flags: string[]; hooks?: string },
  secrets: Record<string, string>,
): number | null {
  const config = ['--config-file', here('schemathesis.toml')];
  const bounds = ['--max-examples', examples, '--seed', '1', '--request-timeout', '60'];
  const target = [here('../contract/openapi.yaml'), '--url', origin];
  const env = {
    ...process.env,
    ...secrets,
    ...(hooks !== undefined && { SCHEMATHESIS_HOOKS: hooks }),
  };
  const all = [...config, 'run', ...target, ...bounds, ...flags];
  // It writes what it finds into the folder where it runs.
  return spawnSync(command, all, { cwd: findings, stdio: 'inherit', env }).status;
}

function ask(method: string, path: string, body?: object, cookie?: string): Promise<Response> {
  return fetch(origin + path, {
    method,
    headers: { Origin: origin, 'Content-Type': 'application/json', ...(cookie && { Cookie: cookie }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}
