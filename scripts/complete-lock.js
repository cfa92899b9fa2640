// Adds to package-lock.json the optional packages of other platforms that a registry mirror did not offer.
// `npm install` leaves them out of the lock, and `npm ci` then refuses it on every platform. If the registry
// does know a package, its hash is added too. refuse-unverified.js guards the rest.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const lockFile = new URL('../package-lock.json', import.meta.url);
const systems = 'darwin linux win32 android freebsd openbsd netbsd openharmony sunos aix wasi'.split(' ');
const processors = 'x64 arm64 arm ia32 ppc64 riscv64 s390x loong64 mips64el wasm32'.split(' ');
const libraries = { gnu: 'glibc', musl: 'musl' };

/** Returns what npm itself would have written for a per-platform package, derived from the package's name. */
function entryFor(name, version, parent) {
  const words = name.split(/[/-]/);
  const system = words.find((word) => systems.includes(word));
  const processor = words.find((word) => processors.includes(word));
  if (!system || !processor)
    throw new Error(`${name}: expected a platform in the name, add it to this script`);
  const library = words.map((word) => libraries[word]).find(Boolean);
  return {
    version,
    cpu: [processor],
    ...(parent.dev && { dev: true }),
    ...(library && { libc: [library] }),
    optional: true,
    // A WebAssembly package runs on any system.
    ...(system !== 'wasi' && { os: [system] }),
  };
}

const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
let added = 0;
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`]) continue;
    lock.packages[`node_modules/${name}`] = entryFor(name, version, parent);
    added += 1;
  }
}

/** Returns the hash that npm will check the package by, or undefined if the registry lacks the package. */
function askForHash(name, version) {
  const npm = process.env.npm_execpath;
  const [command, before] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const view = [...before, 'view', `${name}@${version}`, 'dist.integrity'];
  const { stdout, status } = spawnSync(command, view, { encoding: 'utf8' });
  const hash = stdout?.trim() ?? '';
  return status === 0 && /^sha512-[A-Za-z\d+/]+=*$/.test(hash) ? hash : undefined;
}

let hashes = 0;
const without = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.includes('node_modules/') || entry.link || entry.inBundle || entry.integrity) continue;
  const name = path.replace(/^.*node_modules\//, '');
  const { version, ...rest } = entry;
  const integrity = askForHash(name, version);
  if (integrity === undefined) without.push(`${name}@${version}`);
  else {
    lock.packages[path] = { version, integrity, ...rest };
    hashes += 1;
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`package-lock.json: ${added} entries and ${hashes} hashes added\n`);
if (without.length > 0)
  process.stdout.write(
    `No hash is known here for ${without.join(', ')}. An install that needs one of them will fail.\n`,
  );
