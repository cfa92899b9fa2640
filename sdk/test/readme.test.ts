import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { compileProject } from './compile-project.ts';
import { assertBuilt } from './unpack-package.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({
  language: language!,
  code: code!,
}));

const first = blocks[0]!;

/** Takes a free port instead of the one that the example names, and sends it to the test. */
const takeFreePort = `
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function () {
    this.once('listening', () => process.send(this.address().port));
    return listen.call(this, 0, '127.0.0.1');
  };`;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trackside-readme-'));
  assertBuilt();
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});
after(() => rm(folder, { recursive: true, force: true }));

test('the README starts with an example of ten lines', () => {
  assert.equal(first.language, 'ts');
  assert.equal(first.code.trimEnd().split('\n').length, 10);
});

test('the first example counts a page view', async (t) => {
  const received: { url: string | undefined; key: string | undefined; body: string }[] = [];
  const trackside = createServer(async (request, response) => {
    received.push({ url: request.url, key: request.headers.authorization, body: await text(request) });
    response.setHeader('content-type', 'application/json').end('{"Code":200,"Message":"Success"}');
  }).listen(0, '127.0.0.1');
  await once(trackside, 'listening');
  t.after(() => trackside.close());
  const shop = await runExample(t, `http://127.0.0.1:${(trackside.address() as AddressInfo).port}`);

  const page = await (await fetch(`${shop}/`)).text();
  const [, path] = /<script defer src="([^"]+)"><\/script>/.exec(page) ?? [];
  const script = await fetch(new URL(path!, shop));
  assert.match(script.headers.get('content-type') ?? '', /javascript/);
  assert.match(await script.text(), /screen/);
  const sent = {
    ScreenWidth: 1920,
    ScreenHeight: 1080,
    Language: 'de-AT',
    Referrer: '',
    Absolute: `${shop}/?a=1`,
  };
  const headers = { 'content-type': 'text/plain', 'user-agent': 'Tester', origin: shop };
  const answer = await fetch(new URL(path!, shop), { method: 'POST', headers, body: JSON.stringify(sent) });
  assert.equal(answer.status, 204);

  await waitFor('the page view to arrive', () => received.length > 0);
  const { url, key, body } = received[0]!;
  const { Metrics } = JSON.parse(body);
  assert.deepEqual([url, key], ['/api/page-view', 'key-of-the-shop']);
  assert.deepEqual(Metrics.Browser, { IP: '127.0.0.1', UserAgent: 'Tester' });
  assert.deepEqual(Metrics.Page, { Absolute: `${shop}/?a=1` });
  assert.deepEqual(Metrics.Language, { Code: 'de' });
  assert.deepEqual(Metrics.Screen, { Width: 1920, Height: 1080 });
});

async function runExample(t: { after(hook: () => unknown): void }, tracksideUrl: string): Promise<string> {
  const file = join(folder, 'example.js');
  await writeFile(file, first.code);
  const child = fork(file, {
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(takeFreePort)}`],
    env: { PATH: process.env.PATH, TRACKSIDE_URL: tracksideUrl, TRACKSIDE_KEY: 'key-of-the-shop' },
  });
  const exited = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const ended = exited.then(([code]) => {
    throw new Error(`the example ended with ${code}`);
  });
  const [port] = await Promise.race([once(child, 'message'), ended]);
  return `http://127.0.0.1:${port}`;
}

test('the example for Next.js is loaded by a build without the variables, and gives out the script', async () => {
  const { code } = blocks.find((block) => block.code.includes("from 'next/server'"))!;
  await writeFile(join(folder, 'next-server.js'), 'export const after = () => {};');
  await writeFile(join(folder, 'route.js'), code.replace("'next/server'", "'./next-server.js'"));
  const program = `import { GET, POST } from './route.js';
    const answer = await GET(new Request('https://shop.example/side'));
    console.log(answer.status, answer.headers.get('content-type'), typeof POST);`;
  await writeFile(join(folder, 'build.js'), program);
  const env = { PATH: process.env.PATH };
  const { stdout, stderr } = await run(process.execPath, [join(folder, 'build.js')], { env });
  assert.equal(stdout.trim(), '200 text/javascript; charset=utf-8 function');
  assert.equal(stderr, '');
});

/** Names that an example takes from earlier examples, or from the program around it. */
const surroundings: Record<string, string> = {
  client: "declare const client: import('@trackside/sdk').Trackside;",
  app: "declare const app: import('express').Express;",
};
/** Next.js is too large to be installed for one example. */
const nextServer = "declare module 'next/server' { export function after(work: Promise<unknown>): void }";

test('every example compiles', async () => {
  const examples = blocks.filter(({ language }) => language === 'ts').map(({ code }) => code);
  assert.ok(examples.length > 8, 'expected to find the examples');
  const sources = examples.map((code) => {
    const missing = Object.keys(surroundings).filter((name) => !code.includes(`const ${name} =`));
    return [code, 'export {};', ...missing.map((name) => surroundings[name])].join('\n');
  });
  const files = [...sources.keys()].map((index) => `example-${index}.ts`);
  for (const [index, source] of sources.entries()) await writeFile(join(folder, files[index]!), source);
  await writeFile(join(folder, 'next-server.d.ts'), nextServer);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    skipLibCheck: true,
  };
  const said = await compileProject(folder, { compilerOptions, files: [...files, 'next-server.d.ts'] });
  assert.equal(said, '');
});

/** Everything that people read or copy, and the manifests. */
const texts = [
  '*.md',
  '{clients,contract,deploy,docs,examples,sdk}/**/*.{cs,go,html,java,md,mjs,php,py,rb,sh}',
  '{examples,sdk}/**/*.{js,json,ts}',
  'dashboard/src/**/*.{ts,tsx}',
];

test('the name of the package is the one in its package.json, wherever it is written', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const { name, version } = JSON.parse(read('sdk/package.json')) as { name: string; version: string };
  const archive = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const ours = new Set(workspaces.map((folder) => JSON.parse(read(`${folder}/package.json`)).name as string));
  const exclude = (path: string) => /(?:^|\/)(?:node_modules|dist)$/.test(path);
  const files = globSync(texts, { cwd: root, exclude });
  const faults = files.flatMap((file) => {
    const text = read(file);
    const named = [...text.matchAll(/@trackside\/[\w-]+/g)].map(([found]) => found);
    const packed = [...text.matchAll(/[\w-]+-\d+\.\d+\.\d+\.tgz/g)].map(([found]) => found);
    // Nothing of ours is on a registry, so a command that names it would install what is somebody else's.
    const installed =
      text.match(
        /\b(?:npm (?:i|install|add)|(?:yarn|pnpm|bun|deno) add|pip install|go get) @?trackside.*/g,
      ) ?? [];
    return [
      ...named.filter((one) => !ours.has(one)),
      ...packed.filter((one) => one !== archive),
      ...installed,
    ].map((one) => `${file}: ${one}`);
  });
  assert.ok(files.length > 300 && ours.has(name));
  assert.deepEqual(faults, []);
});
