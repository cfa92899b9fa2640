import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second on every machine. */
const microsPerTick = 10_000;

export type CpuMicros = { node: number; engine: number };

/** Returns the processor time, user and system, that a server and its children have used so far. */
export function readCpu(pid: number): CpuMicros {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const own = /engine[/-]main/.test(command) ? 'engine' : 'node';
  const used: CpuMicros = { node: 0, engine: 0 };
  const { itself, ended } = readTimes(pid);
  used[own] = itself + ended;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  for (const child of children === '' ? [] : children.split(' ')) {
    const below = readCpu(Number(child));
    used.node += below.node;
    used.engine += below.engine;
  }
  return used;
}

/** Returns the processor time of the load generator, which runs in this process or in children that have ended. */
export function readLoadCpu(): number {
  const { itself, ended } = readTimes('self');
  return itself + ended;
}

function readTimes(pid: number | 'self'): { itself: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program is in parentheses, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return { itself: (user! + system!) * microsPerTick, ended: (endedUser! + endedSystem!) * microsPerTick };
}
