import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeBundle } from '../build/write-bundle.ts';
import { main } from './support/spawn-server.ts';

type Told = { ranFrom: string; words: string; trace: string; ok: string; webSockets: string[] };

/**
 * The program reports where it runs from, what it has of HTTP, and what its thread knows: the content of a
 * file, and an error's stack trace.
 */
const sources = {
  'main.ts': `
    import { STATUS_CODES } from 'node:http';
    import { openThread } from './threads/open-thread.ts';
    const webSockets = process.moduleLoadList.filter((module) => module.includes('undici'));
    const own = { ranFrom: import.meta.url, ok: STATUS_CODES[200], webSockets };
    openThread((told) => console.log(JSON.stringify({ ...told, ...own })));`,
  'threads/open-thread.ts': `
    import { Worker } from 'node:worker_threads';
    type Tell = (told: object) => void;
    export const openThread = (tell: Tell) =>
      new Worker(new URL('./thread.ts', import.meta.url)).on('message', tell);`,
  'threads/thread.ts': `
    import { readFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    type Fault = Error;
    const words = readFileSync(new URL('./words/hello.txt', import.meta.url), 'utf8');
    function findFault(): Fault {
      return new TypeError('not found');
    }
    parentPort!.postMessage({ words, trace: findFault().stack });`,
  'threads/words/hello.txt': 'hello',
};

test('the bundle runs like the sources, names their lines, and gives way to newer ones', async (t) => {
  const { server, sourceFile } = makeServer(t);
  await writeBundle({ main: sourceFile('main.ts'), dist: join(server, 'dist'), external: [] });

  const built = run(server);
  assert.match(built.ranFrom, /\/server\/dist\/main\.js$/);
  assert.equal(built.words, 'hello');
  assert.equal(built.ok, 'OK');
  assert.deepEqual(built.webSockets, [], 'what HTTP has but nobody uses is not loaded');
  const [fault, firstFrame] = built.trace.split('\n');
  assert.equal(fault, 'TypeError: not found');
  assert.equal(firstFrame, `    at findFault (file://${sourceFile('threads/thread.ts')}:7:14)`);

  writeFileSync(sourceFile('threads/words/hello.txt'), 'hello again');
  assert.equal(run(server).words, 'hello again', 'a file that is read is not built');
  writeFileSync(sourceFile('threads/thread.ts'), sources['threads/thread.ts'].replace('not', 'never'));
  const changed = run(server);
  assert.match(changed.ranFrom, /\/server\/src\/main\.ts$/);
  assert.match(changed.trace, /^TypeError: never found\n/);

  makeOld(sourceFile('threads/thread.ts'));
  assert.match(run(server).ranFrom, /src/, 'an update may have older times than the build');
  writeFileSync(sourceFile('threads/thread.ts'), sources['threads/thread.ts']);
  makeOld(sourceFile('threads/thread.ts'));
  assert.match(run(server).ranFrom, /dist/);
  utimesSync(sourceFile('main.ts'), new Date(), new Date());
  assert.match(run(server).ranFrom, /dist/, 'a copy has other times');
  rmSync(join(server, 'dist/sources.json'));
  assert.match(run(server).ranFrom, /src/, 'a build that did not finish is not used');
});

/** Creates a folder like the server's, with our command and these sources. */
function makeServer(t: TestContext): { server: string; sourceFile(name: string): string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'trackside-bundle-')));
  t.after(() => rmSync(root, { recursive: true }));
  const server = join(root, 'server');
  const sourceFile = (name: string) => join(server, 'src', name);
  mkdirSync(join(server, 'bin'), { recursive: true });
  mkdirSync(sourceFile('threads/words'), { recursive: true });
  copyFileSync(main, join(server, 'bin/trackside.js'));
  writeFileSync(join(server, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(sources)) {
    writeFileSync(sourceFile(name), text);
    makeOld(sourceFile(name));
  }
  return { server, sourceFile };
}

const anHourAgo = Date.now() / 1000 - 3600;

function makeOld(file: string): void {
  utimesSync(file, anHourAgo, anHourAgo);
}

function run(server: string): Told {
  return JSON.parse(execFileSync(process.execPath, [join(server, 'bin/trackside.js')], { encoding: 'utf8' }));
}
