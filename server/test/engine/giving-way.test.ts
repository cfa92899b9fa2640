import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { whyNoPriority } from '../../src/node/engine-priority.ts';
import { superviseEngine } from '../../src/node/supervise-engine.ts';
import { systemClock } from '../../src/time/clock.ts';
import { silentLog, until, untilReady } from '../support/test-engine.ts';

const canGiveWay = whyNoPriority('idle') === undefined;

async function startEngine(t: TestContext, priority: 'auto' | 'idle') {
  const root = mkdtempSync(join(tmpdir(), 'trackside-engine-'));
  const supervisor = superviseEngine({
    folder: join(root, 'store'),
    socketPath: join(root, 'engine.sock'),
    maxMemoryBytes: 2 ** 30,
    sessions: 1,
    priority,
    starvedAfterMs: 3_000,
    command: 'trackside serve',
    log: silentLog,
    clock: systemClock,
  });
  t.after(async () => {
    await supervisor.stop();
    rmSync(root, { recursive: true, force: true });
  });
  await untilReady(supervisor);
  return supervisor;
}

/** Returns the policy of the scheduler for a process: 0 is the usual one, 5 is that of idle processes. */
function policyOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38]);
}

/** Takes the processor from a process for most of the time, as busy programs do from one that gives way. */
async function starve(pid: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    for (const signal of ['SIGSTOP', 'SIGCONT'] as const) {
      // It may have ended meanwhile.
      spawnSync('kill', [`-${signal.slice(3)}`, String(pid)]);
      await delay(signal === 'SIGSTOP' ? 900 : 100);
    }
  }
}

test('an engine gives way to other programs until they leave it too little', {
  skip: canGiveWay ? false : 'this machine has no such policy',
}, async (t) => {
  const supervisor = await startEngine(t, 'auto');
  // On a busy machine, it may have been starved by now.
  const generation = supervisor.generation();
  const isReplaced = () => supervisor.generation() > generation;
  const { pid } = supervisor.state();
  if (generation === 1) {
    assert.equal(policyOf(pid!), 5);
    await starve(pid!, isReplaced);
  }
  await until(() => supervisor.generation() > 1, 'another engine');
  await untilReady(supervisor);
  const second = supervisor.state();
  assert.equal(policyOf(second.pid!), 0);
  assert.equal(second.restarts, 1);
});

test('an engine that must always give way is left alone', {
  skip: canGiveWay ? false : 'this machine has no such policy',
}, async (t) => {
  const supervisor = await startEngine(t, 'idle');
  const { pid } = supervisor.state();
  const endMs = performance.now() + 5_000;
  await starve(pid!, () => performance.now() > endMs);
  assert.deepEqual([supervisor.generation(), policyOf(pid!)], [1, 5]);
});
