import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeIdle, whyNotIdle } from './engine-priority.ts';

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

test('all threads of a process become idle ones', {
  skip: whyNotIdle() === undefined ? false : 'this machine has no such policy',
}, async (t) => {
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("."); setInterval(() => {}, 1000)']);
  t.after(() => child.kill());
  await once(child.stdout, 'data');
  const pid = child.pid!;
  await makeIdle(pid);
  const threads = readdirSync(`/proc/${pid}/task`);
  assert.ok(threads.length > 1);
  for (const thread of threads) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const policy = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38];
    assert.equal(policy, '5', 'SCHED_IDLE');
  }
});
