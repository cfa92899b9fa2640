import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const run = promisify(execFile);

/**
 * Runs a real Trackside, set up by its commands as an operator would, in a folder of its own. `websites` has
 * the contingent of each website by its domain; null means no limit.
 */
export async function runTrackside<Domain extends string>(
  t: TestContext,
  websites: Record<Domain, number | null>,
): Promise<{ origin: string; keys: Record<Domain, string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-sdk-'));
  const keys: Record<string, string> = {};
  for (const [domain, contingent] of Object.entries<number | null>(websites)) {
    const words = ['website', 'add', domain, '--contingent', String(contingent ?? 'unlimited'), '--json'];
    const { stdout } = await run(process.execPath, [main, ...words, '--data-dir', folder]);
    keys[domain] = JSON.parse(stdout).apiKey;
  }
  return { origin: await serve(t, folder), keys };
}

/** Resolves with the origin once the server listens. */
async function serve(t: TestContext, folder: string): Promise<string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const server = spawn(process.execPath, [main, 'serve', '--data-dir', folder], {
    env: { PATH, HOME: folder, TRACKSIDE_PORT: '0', ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  t.after(async () => {
    server.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const [, origin] = /listens on (http:\/\/[^\s"]+)/.exec(line) ?? [];
    if (origin !== undefined) {
      server.stdout.resume();
      return origin;
    }
  }
  throw new Error('the server ended before it listened');
}
