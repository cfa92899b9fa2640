import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const sdk = fileURLToPath(new URL('..', import.meta.url));
const source = (file: string) => join(sdk, 'src', file);

/** What a program can import: the name after `@trackside/sdk/`, and the file that it comes from. */
const entries = {
  trackside: source('client/trackside.ts'),
  'trackside-on-node': source('client/trackside-on-node.ts'),
  disk: source('queue/keep-on-disk.ts'),
  express: source('adapters/express/express.ts'),
  fastify: source('adapters/fastify/fastify.ts'),
  hono: source('adapters/hono/hono.ts'),
  next: source('adapters/next/next.ts'),
  node: source('adapters/node/node.ts'),
  web: source('adapters/web/web.ts'),
  location: source('location/location.ts'),
  maxmind: source('location/open-maxmind.ts'),
};

async function writeModules(folder: string): Promise<void> {
  const bundle = await rolldown({ input: entries, external: [/^node:/, 'maxmind'], platform: 'neutral' });
  await bundle.write({ dir: folder, format: 'esm', chunkFileNames: 'shared/[name].js' });
  await bundle.close();
}

/**
 * Writes the types. The rules of the interface come from another folder, so the types of both are written to
 * a temporary folder first, and only the SDK's own are copied.
 */
function writeTypes(folder: string): void {
  const emitted = mkdtempSync(join(tmpdir(), 'trackside-types-'));
  try {
    // The package exports its package.json, but not its command.
    const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
    const options = ['-p', 'tsconfig.build.json', '--outDir', emitted];
    execFileSync(process.execPath, [tsc, ...options], { cwd: sdk, stdio: 'inherit' });
    cpSync(join(emitted, 'sdk/src'), folder, { recursive: true });
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

const dist = join(sdk, 'dist');
rmSync(dist, { recursive: true, force: true });
await writeModules(dist);
writeTypes(dist);
