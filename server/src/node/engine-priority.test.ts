import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeIdle, makeUsual, whyNotIdle } from './engine-priority.ts';

test('a machine that has no such policy says what is missing', async () => {
  const [path, empty] = [process.env.PATH, '/nowhere'];
  process.env.PATH = empty;
  try {
    assert.match(whyNotIdle()!, /^needs the program chrt, which is part of util-linux/);
    await assert.rejects(makeIdle(process.pid));
  } finally {
    process.env.PATH = path;
  }
});

/** The policies of all threads of a process, and their priorities. */
function policiesOf(pid: number): Set<string> {
  const threads = readdirSync(`/proc/${pid}/task`);
  assert.ok(threads.length > 1);
  const policies = threads.map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `policy ${fields[38]}, nice ${fields[16]}`;
  });
  return new Set(policies);
}

test('all threads of a process become idle ones, and usual ones again where that is allowed', {
  skip: whyNotIdle() === undefined ? false : 'this machine has no such policy',
}, async (t) => {
  const child = spawn('nice', [
    ...['-n', '10', process.execPath],
    ...['-e', 'process.stdout.write("."); setInterval(() => {}, 1000)'],
  ]);
  t.after(() => child.kill());
  await once(child.stdout, 'data');
  const pid = child.pid!;
  await makeIdle(pid);
  assert.deepEqual([...policiesOf(pid)], ['policy 5, nice 10']);
  const isAllowed = await makeUsual(pid).then(
    () => true,
    () => false,
  );
  assert.deepEqual([...policiesOf(pid)], [`policy ${isAllowed ? 0 : 5}, nice 10`]);
});
