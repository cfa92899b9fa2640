import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export type BuiltApp = { folder: string; remove(): Promise<void> };

/** Builds the application as it is now into a folder of its own, so that no test looks at an older one. */
export async function buildApp(): Promise<BuiltApp> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-dashboard-'));
  const root = fileURLToPath(new URL('..', import.meta.url));
  await build({ root, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
