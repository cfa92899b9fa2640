import { execFile } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type UnpackedPackage = {
  /** Somebody else's project, with the package in its node_modules. */
  project: string;
  /** The package's folder in that project. */
  folder: string;
  /** The files that would be published. */
  files: string[];
  manifest: { exports: Record<string, { types: string; default: string }>; [member: string]: unknown };
  remove(): Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const sdk = join(root, 'sdk');
const run = promisify(execFile);

/** Packs what `npm publish` would send, and unpacks it where a program would have it. */
export async function unpackPackage(): Promise<UnpackedPackage> {
  assertBuilt();
  const project = await mkdtemp(join(tmpdir(), 'trackside-package-'));
  const folder = join(project, 'node_modules/@trackside/sdk');
  await mkdir(folder, { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const options = ['--json', '--ignore-scripts', '--offline', '--pack-destination', project];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: sdk });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  await run('tar', ['-xzf', join(project, packed.filename), '-C', folder, '--strip-components', '1']);
  return {
    project,
    folder,
    files: packed.files.map(({ path }) => path),
    manifest: JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
    remove: () => rm(project, { recursive: true, force: true }),
  };
}

/** Makes packages of this checkout available to the project, as if they were installed there. */
export async function linkPackages(project: string, names: string[]): Promise<void> {
  for (const name of names) {
    const link = join(project, 'node_modules', name);
    await mkdir(join(link, '..'), { recursive: true });
    await symlink(join(root, 'node_modules', name), link);
  }
}

/** Tests do not build, because others may be reading the build. */
export function assertBuilt(): void {
  const built = globSync('dist/**/*.js', { cwd: sdk }).map((name) => statSync(join(sdk, name)).mtimeMs);
  const sources = ['sdk/src/**/*.ts', 'sdk/build/*.ts', 'contract/tracking/*.ts'];
  const stale = globSync(sources, { cwd: root })
    .filter((name) => !/\.test\.ts$|\/test-[a-z-]+\.ts$/.test(name))
    .filter((name) => statSync(join(root, name)).mtimeMs > Math.min(...built));
  if (built.length > 0 && stale.length === 0) return;
  const why = stale.length > 0 ? `older than ${relative(root, join(root, stale[0]!))}` : 'not there';
  throw new Error(`expected sdk/dist to be current, but it is ${why}: run npm run build -w sdk`);
}
