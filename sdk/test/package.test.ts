import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { compileProject } from './compile-project.ts';
import { linkPackages, type UnpackedPackage, unpackPackage } from './unpack-package.ts';
import { walkImports } from './walk-imports.ts';

const run = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Entries that run without Node: none of their imports may be a module of Node. */
const portableEntries = ['.', './web', './hono', './next', './location'];

let unpacked: UnpackedPackage;
before(async () => {
  unpacked = await unpackPackage();
  await linkPackages(unpacked.project, ['@types/node', '@types/express', 'express', 'fastify', 'hono']);
});
after(() => unpacked?.remove());

const specifierOf = (entry: string) => join('@trackside/sdk', entry);
const moduleOf = (entry: string) => join(unpacked.folder, unpacked.manifest.exports[entry]!.default);

test('publishes only the build, the README and the license', () => {
  const others = unpacked.files.filter((file) => !file.startsWith('dist/'));
  assert.deepEqual(others.sort(), ['LICENSE', 'README.md', 'package.json']);
  const odd = unpacked.files.filter((file) => file.startsWith('dist/') && !/\.(js|d\.ts)$/.test(file));
  assert.deepEqual(odd, []);
  assert.deepEqual(
    unpacked.files.filter((file) => /\btest\b/.test(file)),
    [],
  );
});

test('contains the license of the project', async () => {
  assert.equal(await readFile(here('../LICENSE'), 'utf8'), await readFile(here('../../LICENSE'), 'utf8'));
});

test('every entry has its module and its types', () => {
  for (const conditions of Object.values(unpacked.manifest.exports)) {
    assert.ok(conditions.types && conditions.default);
    for (const file of Object.values(conditions)) assert.ok(existsSync(join(unpacked.folder, file)), file);
  }
});

test('depends on no other package', () => {
  const { dependencies, optionalDependencies, peerDependenciesMeta } = unpacked.manifest;
  assert.deepEqual([dependencies, optionalDependencies], [undefined, undefined]);
  assert.deepEqual(peerDependenciesMeta, { maxmind: { optional: true } });
  for (const entry of Object.keys(unpacked.manifest.exports)) {
    const names = walkImports(moduleOf(entry)).names.filter((name) => !name.startsWith('node:'));
    assert.deepEqual(names, entry === './maxmind' ? ['maxmind'] : [], entry);
  }
});

test('imports no Node module in entries that run without Node', () => {
  for (const entry of portableEntries) assert.deepEqual(walkImports(moduleOf(entry)).names, [], entry);
  assert.notDeepEqual(walkImports(moduleOf('./disk')).names, [], 'expected that the walk finds imports');
});

test('every entry can be imported, and a page view sent, with this machine’s Node', async (t) => {
  const received: { url: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ url: request.url, headers: request.headers, body: await text(request) });
    response.setHeader('content-type', 'application/json').end('{"Code":200,"Message":"Success"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const program = `
    const modules = ${JSON.stringify(Object.keys(unpacked.manifest.exports).map(specifierOf))};
    const exported = {};
    for (const name of modules) exported[name] = Object.keys(await import(name));
    const { Trackside } = await import('@trackside/sdk');
    const trackside = new Trackside({ url: process.argv[2], apiKey: 'key' });
    const result = await trackside.pageView({
      Browser: { IP: '203.0.113.7', UserAgent: '' }, Identify: {}, Language: { Code: 'en' },
      Page: { Absolute: 'https://shop.example/' }, Referrer: {}, Screen: { Width: 0, Height: 0 },
      Location: {},
    });
    console.log(JSON.stringify({ version: process.version, exported, result }));`;
  const file = join(unpacked.project, 'send.js');
  await writeFile(file, program);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { stdout, stderr } = await run(machineNode(), ['--trace-warnings', file, url]);
  const { version, exported, result } = JSON.parse(stdout);
  t.diagnostic(`imported and sent with Node ${version}`);
  assert.equal(stderr, '');
  for (const [name, names] of Object.entries<string[]>(exported)) assert.ok(names.length > 0, name);
  assert.deepEqual([result.kind, result.code, result.message], ['accepted', 200, 'Success']);
  assert.equal(received.length, 1);
  assert.equal(received[0]!.url, '/api/page-view');
  assert.equal(received[0]!.headers.authorization, 'key');
  assert.equal(JSON.parse(received[0]!.body).Metrics.Browser.IP, '203.0.113.7');
});

test('every entry can be required, with this machine’s Node', async (t) => {
  const [major, minor] = (await run(machineNode(), ['-p', 'process.versions.node'])).stdout
    .split('.')
    .map(Number);
  const isOlder = (least: number, leastMinor: number) => major === least && minor! < leastMinor;
  // The README says which versions can do that.
  if (isOlder(20, 19) || isOlder(22, 12)) return t.diagnostic(`not run: Node ${major}.${minor} is too old`);
  const names = Object.keys(unpacked.manifest.exports).map(specifierOf);
  const program = `for (const name of ${JSON.stringify(names)})
    console.log(name, Object.keys(require(name)).length > 0);`;
  const file = join(unpacked.project, 'require.cjs');
  await writeFile(file, program);
  const { stdout, stderr } = await run(machineNode(), [file]);
  assert.deepEqual(
    stdout.trim().split('\n'),
    names.map((name) => `${name} true`),
  );
  assert.equal(stderr, '');
});

/** Without variables, as a build runs: what reads one while it is loaded would break there, or keep its value. */
test('no entry reads a variable of the environment when it is loaded', async () => {
  const names = Object.keys(unpacked.manifest.exports).map(specifierOf);
  const ways = { 'load.mjs': 'await import(name)', 'load.cjs': 'require(name)' };
  for (const [name, load] of Object.entries(ways)) {
    const program = `const read = [];
      const note = (_, name) => void read.push(name);
      const look = { get: note, has: note, getOwnPropertyDescriptor: note, ownKeys: () => (read.push('*'), []) };
      const env = new Proxy({}, look);
      Object.defineProperty(process, 'env', { get: () => (/sdk.dist/.test(new Error().stack) ? env : {}) });
      for (const name of ${JSON.stringify(names)}) ${load};
      console.log(JSON.stringify(read));`;
    const file = join(unpacked.project, name);
    await writeFile(file, program);
    const { stdout } = await run(process.execPath, [file]);
    assert.deepEqual(JSON.parse(stdout), [], name);
  }
});

/** Texts that only the handlers, the script and the location tables hold. */
const tellingTexts = ['currentScript', 'x-forwarded-for', 'cf-ipcountry', 'x-vercel-ip-country'];

test('a program that uses only the client bundles only the client', async () => {
  const client = await bundle("import { Trackside } from '@trackside/sdk'; console.log(Trackside);");
  assert.match(client, /idempotency-key/i);
  assert.deepEqual(
    tellingTexts.filter((telling) => client.includes(telling)),
    [],
  );
  const all = await bundle(`export * from '@trackside/sdk/web'; export * from '@trackside/sdk/location';`);
  assert.deepEqual(
    tellingTexts.filter((telling) => !all.includes(telling)),
    [],
    'expected that the texts tell',
  );
});

test('a program that uses nothing bundles nothing', async () => {
  const names = Object.keys(unpacked.manifest.exports).map(specifierOf);
  const code = await bundle(names.map((name) => `import '${name}';`).join('\n'));
  assert.equal(code.replaceAll(/^\s*(?:\/\/.*|export \{\s*\};?)$/gm, '').trim(), '');
});

async function bundle(code: string): Promise<string> {
  const input = join(unpacked.project, 'bundled.js');
  await writeFile(input, code);
  const build = await rolldown({ input, platform: 'neutral', external: [/^node:/, 'maxmind'] });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  return output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
}

type Project = { module: string; moduleResolution: string; lib: string[]; types: string[] };

const forNode = { module: 'node16', moduleResolution: 'node16', lib: ['es2022'], types: ['node'] };
const forEdge = { module: 'preserve', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] };
const projects: Record<string, Project> = {
  'a program for Node': forNode,
  'a bundled program without Node': forEdge,
};

for (const [project, options] of Object.entries(projects)) {
  test(`the published types refuse wrong use, in ${project}`, async () => {
    const source = await readFile(here('types.ts'), 'utf8');
    await writeFile(
      join(unpacked.project, 'types.ts'),
      source.replaceAll('../src/client/trackside.ts', '@trackside/sdk'),
    );
    const entries = options.types.includes('node') ? Object.keys(unpacked.manifest.exports) : portableEntries;
    const imports = entries.map((entry, index) => `export * as entry${index} from '${specifierOf(entry)}';`);
    await writeFile(join(unpacked.project, 'entries.ts'), imports.join('\n'));
    const compilerOptions = { ...options, exactOptionalPropertyTypes: true };
    const files = ['types.ts', 'entries.ts'];
    assert.equal(await compileProject(unpacked.project, { compilerOptions, files }), '');
  });
}

test('the published types fit the frameworks', async () => {
  const source = await readFile(here('types-of-frameworks.ts'), 'utf8');
  const published = source.replaceAll(
    /'\.\.\/src\/(?:adapters\/\w+|client|location)\/(\w+)\.ts'/g,
    (_, name) => (name === 'trackside' ? "'@trackside/sdk'" : `'@trackside/sdk/${name}'`),
  );
  await writeFile(join(unpacked.project, 'frameworks.ts'), published);
  // The frameworks' own types are not ours to check.
  const compilerOptions = { ...forNode, esModuleInterop: true, skipLibCheck: true };
  assert.equal(await compileProject(unpacked.project, { compilerOptions, files: ['frameworks.ts'] }), '');
});

/**
 * Returns the first Node on the path that does not come from a package, which somebody else's program would
 * run on.
 */
function machineNode(): string {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith('node_modules/.bin'));
  return folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file)) ?? process.execPath;
}
