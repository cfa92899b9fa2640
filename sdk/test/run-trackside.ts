import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { dataFolder } from '../../server/src/files/data-folder.ts';
import { copyEmptyStore } from '../../server/test/support/copy-empty-store.ts';
import { runHere } from '../../server/test/support/run-here.ts';
import { createServerHere } from '../../server/test/support/serve-here.ts';
import { shareCompiledCode } from '../../server/test/support/share-compiled-code.ts';

/**
 * Runs a real Trackside in a separate folder, set up by its commands as an operator would. `websites` has the
 * contingent of each website by its domain; null means no limit. The commands and the server run in this
 * process, which saves most of a second for each of them.
 */
export async function runTrackside<Domain extends string>(
  t: TestContext,
  websites: Record<Domain, number | null>,
): Promise<{ origin: string; keys: Record<Domain, string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-sdk-'));
  const server = createServerHere({ dataDir: folder });
  t.after(async () => {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const keys: Record<string, string> = {};
  for (const [domain, contingent] of Object.entries<number | null>(websites)) {
    const words = ['website', 'add', domain, '--contingent', String(contingent ?? 'unlimited'), '--json'];
    const { code, stdout, stderr } = await runHere([...words, '--data-dir', folder]);
    assert.equal(code, 0, stderr);
    keys[domain] = JSON.parse(stdout).apiKey;
  }
  const { store } = dataFolder(folder);
  shareCompiledCode(store);
  await copyEmptyStore(store);
  await server.start();
  return { origin: server.origin(), keys };
}
