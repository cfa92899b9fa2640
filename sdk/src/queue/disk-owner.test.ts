import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { waitFor } from '../client/test-wait.ts';
import {
  createOwner,
  type DiskOwner,
  isAbandoned,
  isRecordsFile,
  nameFile,
  nameFreeFile,
} from './disk-owner.ts';

const self = createOwner();
const now = Date.now();
const fresh = { changedAt: now, createdAt: now, now, lookedAt: now };
const abandoned = (changes: Partial<DiskOwner>, times = fresh) =>
  isAbandoned(nameFile({ ...self, random: '00000000', ...changes }, 1), times, self);

test('recognizes its own files and those of the process that it runs in', () => {
  assert.equal(abandoned({ random: self.random }), false);
  assert.equal(abandoned({}), false);
});

test('identifies a process by more than its number, which is reused', { skip: self.started === '0' }, () => {
  assert.equal(abandoned({ started: '00000000' }), true);
});

test('knows that a process has ended', async () => {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  assert.equal(abandoned({ pid: child.pid! }), true);
  assert.equal(abandoned({ pid: child.pid!, started: '0' }), true);
});

test('recognizes a file of an earlier process with the same number by its age, where start times are unknown', () => {
  const hourMs = 3_600_000;
  assert.equal(abandoned({ started: '0' }), false);
  assert.equal(abandoned({ started: '0' }, { ...fresh, createdAt: now - hourMs }), true);
});

test('waits for silence before it takes the files of another machine or container', () => {
  const minutesAgo = (minutes: number) => ({ ...fresh, changedAt: now - minutes * 60_000 });
  assert.equal(abandoned({ place: '00000000' }, minutesAgo(9)), false);
  assert.equal(abandoned({ place: '00000000' }, minutesAgo(11)), true);
});

test('takes no file that seems silent only since the clock has jumped', () => {
  const minutesAgo = (changed: number, looked: number) =>
    abandoned(
      { place: '00000000' },
      { ...fresh, changedAt: now - changed * 60_000, lookedAt: now - looked * 60_000 },
    );
  assert.equal(minutesAgo(60, 59), false, 'forward, after a look');
  assert.equal(minutesAgo(60, 1), true, 'no change since the look after that');
  assert.equal(minutesAgo(1, -60), false, 'back');
});

test('takes what was left on purpose at once', () => {
  assert.equal(isAbandoned(nameFreeFile(), fresh, self), true);
});

test('leaves other files alone', () => {
  for (const name of ['notes.txt', '.records', 'free-x.records', '../free-0123456789abcdef.records']) {
    assert.equal(isRecordsFile(name), false);
  }
  assert.equal(isRecordsFile(nameFile(self, 12)), true);
  assert.equal(isRecordsFile(nameFreeFile()), true);
});

test('knows that a process has ended before its parent does', { skip: self.started === '0' }, async (t) => {
  const owner = new URL('disk-owner.ts', import.meta.url).href;
  const program = `import { createOwner, nameFile } from '${owner}';
    console.log(process.pid, nameFile(createOwner(), 1));
    setInterval(() => {}, 1000);`;
  // The shell becomes a program that never waits for its child.
  const command = '"$0" --input-type=module -e "$1" & exec sleep 60';
  const parent = spawn('sh', ['-c', command, process.execPath, program]);
  t.after(() => parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  const [pid = '', name = ''] = String(line).trim().split(' ');
  assert.equal(isAbandoned(name, fresh, self), false);
  process.kill(Number(pid), 'SIGKILL');
  await waitFor('its end', async () => /\) Z /.test(await readFile(`/proc/${pid}/stat`, 'latin1')));
  assert.equal(isAbandoned(name, fresh, self), true);
});
