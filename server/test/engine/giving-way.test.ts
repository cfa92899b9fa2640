import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type EnginePriority, whyNotIdle } from '../../src/node/engine-priority.ts';
import { testLong } from '../support/long-form.ts';
import { startTestEngine, type TestEngine, until, untilReady } from '../support/test-engine.ts';

const skip = whyNotIdle() === undefined ? false : 'this machine has no such policy';
const heavySql = 'select count() from numbers(100000000000) where cityHash64(number) = 1';

/** The policies of the scheduler for the threads of a process: 0 is the usual one, 5 is that of idle processes. */
function policiesOf(pid: number): Set<number> {
  const policies = new Set<number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      policies.add(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38]));
    } catch {
      // It has ended meanwhile.
    }
  }
  return policies;
}

const isIdle = (pid: number) => [...policiesOf(pid)].every((policy) => policy === 5);

/**
 * Gives the engine work that doesn't end, and keeps all processors busy with programs that have a lower priority
 * than other tests, and a higher one than an idle engine.
 */
function keepBusy(t: TestContext, engine: TestEngine): () => void {
  engine.request('/', { body: heavySql }).catch(() => {});
  const programs = Array.from({ length: availableParallelism() }, () =>
    spawn('nice', ['-n', '10', process.execPath, '-e', 'for (;;);']),
  );
  const stop = () => {
    for (const program of programs) program.kill('SIGKILL');
  };
  t.after(stop);
  return stop;
}

async function startGivingWay(t: TestContext, priority: EnginePriority): Promise<TestEngine> {
  const engine = await startTestEngine({ priority, starvedAfterMs: 2_000 });
  t.after(() => engine.stop());
  await until(() => isIdle(engine.supervisor.state().pid!), 'it to give way');
  return engine;
}

test('an engine gives way to other programs until they leave it too little', { skip }, async (t) => {
  const engine = await startGivingWay(t, 'auto');
  const { supervisor } = engine;
  const { pid } = supervisor.state();
  const stop = keepBusy(t, engine);
  await until(() => supervisor.generation() > 1 || !isIdle(pid!), 'it to get more');
  stop();
  await untilReady(supervisor);
  assert.deepEqual([...policiesOf(supervisor.state().pid!)], [0]);
});

testLong('an engine that can no longer leave its policy is replaced', { skip }, async (t) => {
  const engine = await startGivingWay(t, 'auto');
  const { supervisor } = engine;
  const stop = keepBusy(t, engine);
  // Without the program that changes policies, it is as for a user without privileges.
  const { PATH } = process.env;
  process.env.PATH = '/nowhere';
  try {
    await until(() => supervisor.generation() > 1, 'another engine');
  } finally {
    process.env.PATH = PATH;
  }
  stop();
  await untilReady(supervisor);
  assert.deepEqual([supervisor.state().restarts, ...policiesOf(supervisor.state().pid!)], [1, 0]);
});

testLong('an engine that must always give way is left alone', { skip }, async (t) => {
  const engine = await startGivingWay(t, 'idle');
  const { pid } = engine.supervisor.state();
  const stop = keepBusy(t, engine);
  await delay(4_000);
  stop();
  assert.deepEqual([engine.supervisor.generation(), isIdle(pid!)], [1, true]);
});
