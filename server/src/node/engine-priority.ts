import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * What an operator can choose. An engine with `idle` runs only while nothing else on the machine wants the
 * processor. `auto` is idle where that is possible, until it leaves the engine too little.
 */
export type EnginePriority = 'auto' | 'low' | 'idle';

/** Linux's program for policies of the scheduler. */
const chrt = 'chrt';

/** A thread may end between being listed and being changed, and the rest is left as it was. */
const mostTries = 3;

/** Puts all threads of a process under the policy of idle ones, and with them those that they start. */
export async function makeIdle(pid: number): Promise<void> {
  await setPolicy('--idle', pid);
}

/** Gives an idle process the share that its priority has. Without privileges, most systems don't allow it. */
export async function makeUsual(pid: number): Promise<void> {
  await setPolicy('--other', pid);
}

async function setPolicy(policy: '--idle' | '--other', pid: number, tries = 1): Promise<void> {
  try {
    await promisify(execFile)(chrt, ['--all-tasks', policy, '--pid', '0', String(pid)]);
  } catch (error) {
    if (tries === mostTries) throw error;
    await setPolicy(policy, pid, tries + 1);
  }
}

/** Returns why no process can be made idle here, or undefined if one can. */
export function whyNotIdle(): string | undefined {
  const { error, status, stderr } = spawnSync(chrt, ['--idle', '0', 'true'], { encoding: 'utf8' });
  if (status === 0) return undefined;
  const isMissing = error !== undefined && 'code' in error && error.code === 'ENOENT';
  if (isMissing) return 'needs the program chrt, which is part of util-linux on Linux';
  return `doesn't work here: ${stderr?.trim() || (error?.message ?? `chrt ended with ${status}`)}`;
}
