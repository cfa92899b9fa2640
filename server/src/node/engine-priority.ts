import { spawnSync } from 'node:child_process';

/** An engine with `idle` runs only while nothing else on the machine wants the processor. */
export type EnginePriority = 'low' | 'idle';
/** What an operator can choose. `auto` is idle where that is possible, until it leaves the engine too little. */
export type WantedPriority = EnginePriority | 'auto';

/** Linux's program for policies of the scheduler. It becomes the program that it is asked to run. */
const chrt = ['chrt', '--idle', '0'];

/** Returns the command that runs an engine with this priority. A low one is the engine's own doing. */
export function commandWithPriority(priority: EnginePriority, command: string[]): [string, ...string[]] {
  const [program, ...args] = priority === 'idle' ? [...chrt, ...command] : command;
  return [program!, ...args];
}

/** Returns why no engine can have this priority here, or undefined if one can. */
export function whyNoPriority(priority: EnginePriority): string | undefined {
  if (priority === 'low') return undefined;
  const [program, ...args] = commandWithPriority(priority, ['true']);
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return undefined;
  const isMissing = error !== undefined && 'code' in error && error.code === 'ENOENT';
  if (isMissing) return 'needs the program chrt, which is part of util-linux on Linux';
  return `doesn't work here: ${stderr?.trim() || (error?.message ?? `chrt ended with ${status}`)}`;
}
