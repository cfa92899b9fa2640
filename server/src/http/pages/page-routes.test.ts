import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createFakeClock } from '../../control/test-control.ts';
import { startTestHttp } from '../test-http.ts';
import { readPageFiles } from './page-files.ts';
import { pageRoutes } from './page-routes.ts';

const files = {
  'index.html': '<!doctype html><title>The page</title>',
  'favicon.svg': '<svg/>',
  'api/openapi.yaml': 'openapi: 3.1.0',
  'assets/index-1a.js': 'start();',
  'pictures-2/icons/a.svg': '<svg><path/></svg>',
  'pictures-2/notes.md': 'not for the web',
};

async function startPages(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-pages-'));
  t.after(() => rm(folder, { recursive: true }));
  const built = join(folder, 'built');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(built, name)), { recursive: true });
    await writeFile(join(built, name), text);
  }
  await writeFile(join(folder, 'outside.svg'), '<svg/>');
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { origin } = await startTestHttp(t, { clock, routes: pageRoutes(readPageFiles(built)) });
  return (path: string, init?: RequestInit) => fetch(origin + path, init);
}

test('sends each file of the application, wherever it is', async (t) => {
  const ask = await startPages(t);
  for (const [name, type] of [
    ['favicon.svg', 'image/svg+xml'],
    ['api/openapi.yaml', 'application/yaml; charset=utf-8'],
    ['assets/index-1a.js', 'text/javascript; charset=utf-8'],
    ['pictures-2/icons/a.svg', 'image/svg+xml'],
  ] as const) {
    const answer = await ask(`/${name}?from=a-cache`);
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type'), await answer.text()],
      [200, type, files[name]],
    );
    const etag = answer.headers.get('etag')!;
    assert.equal((await ask(`/${name}`, { headers: { 'If-None-Match': etag } })).status, 304);
    const head = await ask(`/${name}`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('etag')], [200, etag]);
  }
});

test('what is not a file of the application does not exist', async (t) => {
  const ask = await startPages(t);
  for (const path of [
    '/api/nothing',
    '/nothing/index-1a.js',
    '/assets/',
    '/assets/index-2b.js',
    '/assets/index-1a.js/more',
    '/assets/*',
    '/pictures-2/icons',
    '/pictures-2/..%2Ffavicon.svg',
    '/pictures-2/..%2F..%2Foutside.svg',
    '/pictures-2/notes.md',
    '/assets/__proto__',
  ]) {
    const answer = await ask(path);
    assert.equal(answer.status, 404, path);
    assert.match(await answer.text(), /Not found/);
    for (const method of ['HEAD', 'POST'])
      assert.equal((await ask(path, { method })).status, 404, `${method} ${path}`);
  }
});

test('says that files can only be read', async (t) => {
  const ask = await startPages(t);
  for (const path of ['/favicon.svg', '/assets/index-1a.js']) {
    const answer = await ask(path, { method: 'DELETE' });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET']);
  }
});
