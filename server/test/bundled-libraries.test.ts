import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const hook = fileURLToPath(new URL('../bin/use-bundled-libraries.js', import.meta.url));

/** Creates a checkout with one library installed, and a program that prints which form of it was loaded. */
function makeCheckout(t: TestContext, files: Record<string, string>): () => string {
  const root = mkdtempSync(join(tmpdir(), 'trackside-libraries-'));
  t.after(() => rmSync(root, { recursive: true }));
  const all = {
    'node_modules/kysely/package.json': '{ "version": "2.0.0", "type": "module", "exports": "./index.js" }',
    'node_modules/kysely/index.js': "export const form = 'as installed';",
    'server/program.mjs': "import { form } from 'kysely'; process.stdout.write(form);",
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  cpSync(hook, join(root, 'server/bin/use-bundled-libraries.mjs'), { recursive: true });
  return () => {
    const words = ['--import', './bin/use-bundled-libraries.mjs', 'program.mjs'];
    const { stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: join(root, 'server'),
      encoding: 'utf8',
    });
    return `${stdout}${stderr}`;
  };
}

const bundleOf = (version: string) => ({
  'node_modules/.cache/libraries/libraries.json': JSON.stringify({
    versions: { kysely: version },
    files: { kysely: 'kysely.mjs' },
  }),
  'node_modules/.cache/libraries/kysely.mjs': "export const form = 'bundled';",
});

test('a library is taken from its bundle', (t) => {
  assert.equal(makeCheckout(t, bundleOf('2.0.0'))(), 'bundled');
});

test('a bundle of another version than the installed one is left alone', (t) => {
  assert.equal(makeCheckout(t, bundleOf('1.9.0'))(), 'as installed');
});

test('the installed library is taken where nothing was bundled, or only half', (t) => {
  assert.equal(makeCheckout(t, {})(), 'as installed');
  const half = { 'node_modules/.cache/libraries/libraries.json': '{ "versions":' };
  assert.equal(makeCheckout(t, half)(), 'as installed');
});
