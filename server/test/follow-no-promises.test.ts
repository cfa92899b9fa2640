import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const support = (file: string) => new URL(`support/${file}`, import.meta.url);

/** Runs one file with this text as a full run does, and returns the lines of its report. */
async function report(t: TestContext, text: string): Promise<{ code: number; lines: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-runner-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(
    join(folder, 'late.test.mjs'),
    `import { after, before, describe, test } from 'node:test';\n${text}`,
  );
  const main = join(folder, 'main.mjs');
  await writeFile(
    main,
    `import { importTests } from ${JSON.stringify(support('import-tests.ts').href)};
     importTests(new URL(${JSON.stringify(`${pathToFileURL(folder)}/`)}), { only: ['*.test.mjs'] });`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const preload = `--import=${support('follow-no-promises.ts')}`;
  return await new Promise((resolve) => {
    execFile(process.execPath, [preload, '--test-reporter=tap', main], { env }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), lines: stdout.split('\n') }),
    );
  });
}

test('suites that are declared after a wait have their tests and hooks', async (t) => {
  const { code, lines } = await report(
    t,
    `await new Promise((resolve) => setTimeout(resolve, 50));
     describe('outer', () => {
       let prepared = false;
       before(() => { prepared = true; });
       describe('inner', () => {
         test('has the hook of its suite', async () => { if (!prepared) throw new Error('not prepared'); });
       });
     });`,
  );
  assert.equal(code, 0, lines.join('\n'));
  const ok = lines.filter((line) => /^ *ok/.test(line));
  assert.deepEqual(ok, [
    '            ok 1 - has the hook of its suite',
    '        ok 1 - inner',
    '    ok 1 - outer',
    'ok 1 - late.test.mjs',
  ]);
});

test('an error that nobody catches fails the file and is named', async (t) => {
  const { code, lines } = await report(
    t,
    `test('waits', async () => {
       await new Promise((resolve) => setTimeout(resolve, 20));
       Promise.reject(new Error('nobody catches me'));
       await new Promise((resolve) => setTimeout(resolve, 20));
     });`,
  );
  assert.equal(code, 1, lines.join('\n'));
  assert.ok(lines.join('\n').includes('nobody catches me'), lines.join('\n'));
});

test('the runner follows no more promises when the tests run', async (t) => {
  const { code, lines } = await report(
    t,
    `import { executionAsyncId } from 'node:async_hooks';
     test('waits', async () => {
       const ids = new Set();
       for (let i = 0; i < 3; i += 1) { await undefined; ids.add(executionAsyncId()); }
       console.log('ids: ' + ids.size);
     });`,
  );
  assert.equal(code, 0, lines.join('\n'));
  // Each promise that is followed has its own id.
  assert.ok(
    lines.some((line) => line.endsWith('ids: 1')),
    lines.join('\n'),
  );
});
