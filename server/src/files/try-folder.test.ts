import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { answerOf, HangingFolderError, lookAtFolder, tryFolder } from './try-folder.ts';

function prepare(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, probe: join(folder, 'probe') };
}

const nothing = async () => {};

test('creates the folder, and leaves nothing in it', async (t) => {
  const folder = join(prepare(t).folder, 'data');
  const make = async () => void (await mkdir(folder));
  await tryFolder({ folder, probe: join(folder, 'probe'), make, withinMs: 300_000 });
  assert.deepEqual(readdirSync(folder), []);
});

test('reports that the file system hangs, and what to do', async (t) => {
  const { folder, probe } = prepare(t);
  // Opening a pipe waits until somebody reads from it, like a call to a network share that is away.
  execFileSync('mkfifo', [probe]);
  const hanging = tryFolder({ folder, probe, make: nothing, withinMs: 50 });
  await assert.rejects(hanging, (error: Error) => {
    assert.ok(error instanceof HangingFolderError);
    assert.ok(error.message.startsWith(`${folder}: its file system has not answered for 0.05 seconds.`));
    assert.match(error.message, /another --data-dir/);
    return true;
  });
  // Lets the call return, so that the process can end.
  openSync(probe, constants.O_RDONLY | constants.O_NONBLOCK);
});

test('reports that creating the folder hangs', async (t) => {
  const { folder, probe } = prepare(t);
  const make = () => new Promise<void>(() => {});
  await assert.rejects(tryFolder({ folder, probe, make, withinMs: 20 }), HangingFolderError);
});

test('reports that any other work on the folder hangs, and its own faults as they are', async (t) => {
  const { folder } = prepare(t);
  await assert.rejects(
    answerOf({ folder, withinMs: 20 }, () => new Promise<void>(() => {})),
    HangingFolderError,
  );
  const refused = answerOf({ folder, withinMs: 300_000 }, () => Promise.reject(new Error('refused')));
  await assert.rejects(refused, /^Error: refused$/);
});

test('leaves a folder that is missing, or is none, to others', async (t) => {
  const { folder, probe } = prepare(t);
  await writeFile(probe, '');
  for (const looked of [folder, join(folder, 'missing'), probe])
    await lookAtFolder({ folder: looked, withinMs: 300_000 });
});

test('reports what the file system refuses', async (t) => {
  const { folder } = prepare(t);
  const options = { folder, probe: join(folder, 'missing', 'probe'), make: nothing, withinMs: 300_000 };
  await assert.rejects(tryFolder(options), /: its file system doesn't take a file and sync it \(ENOENT: /);
});

test('ignores faults that the start itself explains', async (t) => {
  const { folder, probe } = prepare(t);
  await mkdir(probe);
  await tryFolder({ folder, probe, make: nothing, withinMs: 300_000 });
});
