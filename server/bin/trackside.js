#!/usr/bin/env node
// Plain JavaScript, so that a Node which is too old for the rest can still read it and hand over to the
// pinned one.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('..', import.meta.url));
const built = join(server, 'dist');
const main = isCurrent(built) ? join(built, 'main.js') : join(server, 'src/main.ts');
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 7)) {
  // Compiled code is kept between starts: commands answer sooner, and the server needs less memory.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/trackside', import.meta.url)));
  await import(main);
} else {
  const pinned = findPinnedNode();
  if (pinned === undefined) {
    console.error(
      `trackside: expected Node 24.7 or later, got ${process.versions.node}. Run \`npm ci\`, which brings one.`,
    );
    process.exit(1);
  }
  const launched = fileURLToPath(new URL('launched.js', import.meta.url));
  const child = spawn(pinned, [launched, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  // A terminal sends Ctrl-C to both; `kill` reaches only this process. Passing on twice would be a second
  // signal.
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}

/**
 * Whether the built server, which starts in half the time and needs less memory, is what the sources say. A
 * source that has changed since, because of an editor or an update, is run without a build. A copied folder has
 * other times and the same content.
 */
function isCurrent(folder) {
  try {
    const sources = JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8'));
    return sources.every(({ file, mtimeMs, size, sha256 }) => {
      const source = join(folder, file);
      const found = statSync(source);
      if (found.size !== size || found.mtimeMs === mtimeMs) return found.size === size;
      return createHash('sha256').update(readFileSync(source)).digest('hex') === sha256;
    });
  } catch {
    // It was not built, or a source is gone.
    return false;
  }
}

/** The Node that npm installed for this platform, as package.json pins it. */
function findPinnedNode() {
  const require = module.createRequire(import.meta.url);
  const { platform, arch } = process;
  for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
    try {
      const binary = join(dirname(require.resolve(`${name}/package.json`)), 'bin', 'node');
      if (existsSync(binary)) return binary;
    } catch {
      // not installed under this name
    }
  }
  return undefined;
}
