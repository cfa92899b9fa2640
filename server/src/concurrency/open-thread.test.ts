import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '../control/test-control.ts';
import { openThread } from './open-thread.ts';

const answerOnThread = new URL('./answer-on-thread.ts', import.meta.url).href;

/** A thread that doubles numbers, fails for negative ones, and ends at zero. */
async function makeModule(t: TestContext, atStart = '', open = ''): Promise<URL> {
  const path = join(await makeFolder(t), 'worker.ts');
  await writeFile(
    path,
    `import { answerOnThread } from '${answerOnThread}';
     ${atStart}
     answerOnThread({
       open() { ${open} },
       answer(asked: number) {
         if (asked === 0) process.exit(7);
         if (asked < 0) throw Object.assign(new Error('negative'), { errcode: 5, code: 'ERR_NEGATIVE' });
         return asked * 2;
       },
     });`,
  );
  return pathToFileURL(path);
}

test('answers in order, and passes on the properties of an error', async (t) => {
  const thread = await openThread<number, number>({ module: await makeModule(t), name: 'tests' });
  t.after(() => thread.close());
  const answers = await Promise.allSettled([1, -1, 2].map((asked) => thread.ask(asked)));
  assert.deepEqual(
    answers.map((settled) => (settled.status === 'fulfilled' ? settled.value : 'failed')),
    [2, 'failed', 4],
  );
  await assert.rejects(thread.ask(-1), { message: 'negative', errcode: 5, code: 'ERR_NEGATIVE' });
});

test('a thread that ends rejects all current and later requests', async (t) => {
  const thread = await openThread<number, number>({ module: await makeModule(t), name: 'tests' });
  const answers = await Promise.allSettled([1, 0, 2].map((asked) => thread.ask(asked)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  );
  assert.equal(thread.isAlive(), false);
  await assert.rejects(thread.ask(1), /The thread for tests does not answer/);
  await thread.close();
});

test('a thread that cannot start rejects with the reason', async (t) => {
  const module = await makeModule(t, `throw new Error('no such file');`);
  await assert.rejects(openThread({ module, name: 'tests' }), /The thread for tests has ended: no such file/);
});

test('a thread that cannot open its resource rejects with the properties of the error', async (t) => {
  const open = `throw Object.assign(new Error('not a database'), { errcode: 26, code: 'ERR_SQLITE_ERROR' });`;
  const module = await makeModule(t, '', open);
  await assert.rejects(openThread({ module, name: 'tests' }), {
    message: 'not a database',
    errcode: 26,
    code: 'ERR_SQLITE_ERROR',
  });
});

test('a message that cannot be sent to the thread fails alone', async (t) => {
  const thread = await openThread<unknown, number>({ module: await makeModule(t), name: 'tests' });
  t.after(() => thread.close());
  await assert.rejects(
    thread.ask(() => {}),
    { name: 'DataCloneError' },
  );
  assert.equal(await thread.ask(3), 6);
});

test('answers earlier requests before it closes', async (t) => {
  const thread = await openThread<number, number>({ module: await makeModule(t), name: 'tests' });
  const last = thread.ask(4);
  await thread.close();
  assert.equal(await last, 8);
  await assert.rejects(thread.ask(1), /it is being closed|does not answer/);
});

test('keeps a process running only while somebody waits', async (t) => {
  const module = await makeModule(t);
  const script = join(await makeFolder(t), 'main.ts');
  await writeFile(
    script,
    `import { openThread } from '${new URL('./open-thread.ts', import.meta.url).href}';
     const thread = await openThread({ module: new URL('${module.href}'), name: 'tests' });
     console.log(await thread.ask(21));`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  assert.deepEqual([code, output], [0, '42\n']);
});
