import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { commandWithPriority, whyNoPriority } from './engine-priority.ts';

const isPossible = process.platform === 'linux' && spawnSync('chrt', ['--version']).status === 0;

test('a low priority needs nothing', () => {
  assert.equal(whyNoPriority('low'), undefined);
  assert.deepEqual(commandWithPriority('low', ['node', 'engine.ts']), ['node', 'engine.ts']);
});

test('a priority that this machine does not have is named', () => {
  const [path, empty] = [process.env.PATH, '/nowhere'];
  process.env.PATH = empty;
  try {
    assert.match(whyNoPriority('idle')!, /^needs the program chrt, which is part of util-linux/);
  } finally {
    process.env.PATH = path;
  }
});

test('an idle program runs under the policy of the scheduler, as the process that was started', {
  skip: isPossible ? false : 'this machine has no chrt',
}, () => {
  assert.equal(whyNoPriority('idle'), undefined);
  const script = 'process.stdout.write(require("node:fs").readFileSync("/proc/self/stat", "utf8"))';
  const [program, ...args] = commandWithPriority('idle', [process.execPath, '-e', script]);
  const { stdout, pid } = spawnSync(program, args, { encoding: 'utf8' });
  const afterName = stdout.slice(stdout.lastIndexOf(')') + 2).split(' ');
  const policy = Number(afterName[38]);
  assert.deepEqual([Number.parseInt(stdout, 10), policy], [pid, 5], 'SCHED_IDLE');
});
