import { existsSync, globSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type BuiltApp = { folder: string; remove(): Promise<void> };

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The current application: the last build, or, if something has changed since, a new one in a separate
 * folder.
 */
export async function buildApp(): Promise<BuiltApp> {
  const built = join(root, 'dist');
  if (isUpToDate(built)) return { folder: built, remove: async () => {} };
  // Imported only now, because that takes a second.
  const { build } = await import('vite');
  const folder = await mkdtemp(join(tmpdir(), 'trackside-dashboard-'));
  await build({ root, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

function isUpToDate(built: string): boolean {
  const page = join(built, 'index.html');
  if (!existsSync(page)) return false;
  const builtAtMs = statSync(page).mtimeMs;
  const own = ['src/**/*', 'public/**/*', 'build/**/*', 'index.html', 'vite.config.ts', 'package.json'];
  const sources = globSync(
    [...own, '../contract/**/*.ts', '../contract/openapi.yaml', '../examples/snippets/*'],
    { cwd: root },
  );
  return sources.every((name) => statSync(join(root, name)).mtimeMs <= builtAtMs);
}
