import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('test-program.ts', import.meta.url));

export async function makeFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-queue-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a program that tracks. `said` resolves with its first output, `ended` with how it ended. */
export function startProgram(
  t: Pick<TestContext, 'after'>,
  task: object,
  { maxFileBlocks = 'unlimited' } = {},
) {
  const command = `ulimit -f ${maxFileBlocks}; exec "$@"`;
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, program, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = waitForEnd(child);
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const said = Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(`the program has ended: ${stderr}`))),
  ]);
  said.catch(() => {});
  return { child, said, ended, stderr: () => stderr };
}

async function waitForEnd(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  const [code, signal] = await once(child, 'close');
  return { code, signal };
}

export async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}
