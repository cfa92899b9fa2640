/**
 * Writes libraries that come as hundreds of small files as a few large ones, for quicker starts in a full run
 * of the tests (server/test/support/use-bundled-libraries.js).
 */
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = new URL('../node_modules/.cache/libraries/', import.meta.url);
const names = ['kysely', 'typebox', 'typebox/compile', 'typebox/value'];
const files = Object.fromEntries(names.map((name) => [name, `${name.replace('/', '-')}.js`]));

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(names.map((name) => [files[name]!, name])),
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
writeFileSync(new URL('libraries.json', folder), `${JSON.stringify(files, null, 2)}\n`);
