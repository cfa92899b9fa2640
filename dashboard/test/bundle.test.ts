import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { type BuiltApp, buildApp } from './build-app.ts';

const maxScriptBytes = 120_000;
let app: BuiltApp;

before(async () => {
  app = await buildApp();
});
after(() => app.remove());

const read = (name: string) => readFileSync(join(app.folder, name));
const files = (pattern: string) => globSync(pattern, { cwd: app.folder });

test('all script together, with every language, is at most 120 KB, gzipped', (t) => {
  const names = files('**/*.js');
  const sizes = names.map((name) => gzipSync(read(name), { level: 9 }).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${total} bytes in ${sizes.length} files`);
  assert.deepEqual(names.map((name) => name.replace(/-[\w-]{8}\./, '.')).sort(), [
    'assets/german.js',
    'assets/index.js',
    'theme.js',
  ]);
  assert.ok(total <= maxScriptBytes, `expected at most ${maxScriptBytes} bytes, got ${total}`);
});

test('only those who read German load it', () => {
  const german = files('assets/german-*.js')[0]!.slice('assets/'.length);
  assert.equal(read('index.html').includes(german), false);
  const script = read(files('assets/index-*.js')[0]!).toString();
  assert.ok(script.includes(`import(\`./${german}\`)`));
  assert.doesNotMatch(script, /from\s*["'`]\.\//);
});

test('the page has no inline script or style, only files', () => {
  const html = read('index.html').toString();
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/);
  assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=/);
  assert.match(html, /<script src="\/theme\.js"><\/script>/, 'the theme is set before the first paint');
});

test('everything comes from the same origin, by absolute paths', () => {
  const html = read('index.html').toString();
  const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
  assert.ok(addresses.length >= 5);
  for (const address of addresses) assert.match(address, /^\/[^/]/);
  for (const name of files('**/*.css')) {
    for (const [, address] of read(name)
      .toString()
      .matchAll(/url\(([^)]*)\)/g))
      assert.match(address!, /^["']?\/assets\//);
  }
});

test('every file under assets has a hash of its content in its name', () => {
  const names = files('assets/*');
  assert.ok(names.length > 5);
  for (const name of names) assert.match(name, /-[\w-]{8}\.(?:js|css|json|txt|woff2)$/);
});

test('a manifest lists the files', () => {
  const manifest = JSON.parse(read('manifest.json').toString()) as Record<
    string,
    { file: string; isEntry?: boolean }
  >;
  assert.equal(manifest['index.html']?.isEntry, true);
  for (const { file } of Object.values(manifest)) assert.doesNotThrow(() => read(file), file);
});

test('the reference has every request and every schema of the served document', () => {
  const text = read('openapi.yaml').toString();
  assert.equal(read('api/openapi.yaml').toString(), text);
  assert.deepEqual(JSON.parse(read('openapi.json').toString()), parse(text));
  const html = read('reference.html').toString();
  type Operations = Record<string, { operationId: string }>;
  const { paths, components } = parse(text) as {
    paths: Record<string, Operations>;
    components: { schemas: object };
  };
  const operations = Object.values(paths).flatMap((one) => Object.values(one));
  const ids = [
    ...operations.map(({ operationId }) => operationId),
    ...Object.keys(components.schemas).map((name) => `schema-${name}`),
  ];
  assert.ok(ids.length > 50);
  for (const id of ids) assert.equal(html.split(`<section id="${id}">`).length, 2, id);
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
  assert.deepEqual(
    targets.filter((id) => id !== 'content' && !ids.includes(id)),
    [],
  );
  assert.equal(html.split('<summary>Example</summary>').length > operations.length, true);
  assert.deepEqual(html.match(/(?:src|href)="(?:[a-z]+:|\/\/)/g), null);
  assert.deepEqual(html.match(/<script[^>]*>/g), ['<script src="/theme.js">']);
  assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=|undefined|\[object/);
});

test('the reference has the look of the application, and a way back to it', () => {
  const html = read('reference.html').toString();
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="\/([^"]+)">/g)].map(([, name]) => name!);
  const application = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/.exec(read('index.html').toString());
  assert.deepEqual(sheets, [application?.[1], 'reference.css']);
  assert.match(html, /<a class="header-mark" href="\/websites">/);
});
