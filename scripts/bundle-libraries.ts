/**
 * Writes libraries that come as hundreds of small files as a few large ones: the server starts in two thirds
 * of the time with them (server/bin/use-bundled-libraries.js), and runs without them too.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const packages = new URL('../node_modules/', import.meta.url);
const folder = new URL('.cache/libraries/', packages);

/** What is imported, by the library that it belongs to. */
const libraries = {
  typebox: ['typebox', 'typebox/compile', 'typebox/value'],
  kysely: ['kysely'],
};

const fileOf = (name: string) => `${name.replaceAll('/', '-')}.js`;

function versionOf(library: string): string {
  const manifest = readFileSync(new URL(`${library}/package.json`, packages), 'utf8');
  return JSON.parse(manifest).version;
}

const names = Object.values(libraries).flat();
rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(names.map((name) => [fileOf(name), name])),
  platform: 'node',
  cwd: fileURLToPath(new URL('../server', import.meta.url)),
});
await bundle.write({
  dir: fileURLToPath(folder),
  format: 'esm',
  entryFileNames: '[name]',
  chunkFileNames: 'shared/[name].js',
});
await bundle.close();
writeFileSync(new URL('package.json', folder), '{ "type": "module" }\n');
const versions = Object.fromEntries(Object.keys(libraries).map((library) => [library, versionOf(library)]));
const files = Object.fromEntries(names.map((name) => [name, fileOf(name)]));
// Last: without it, nobody looks at the rest.
writeFileSync(new URL('libraries.json', folder), `${JSON.stringify({ versions, files }, null, 2)}\n`);
