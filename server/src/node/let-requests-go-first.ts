import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** What Linux knows of this process's threads. */
const threads = '/proc/self/task';
const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Makes V8's own work give way to requests. It compiles and collects garbage with four threads beside the one that
 * answers, and on a small machine, they would take turns with it.
 */
export function letRequestsGoFirst(): void {
  lowerThreadsOfV8();
  // Otherwise, V8 collects garbage once nothing has happened for some seconds, and is often still at it when the
  // next requests arrive.
  setFlagsFromString('--no-memory-reducer');
}

/** Their names and priorities are known on Linux only. Elsewhere, they keep theirs. */
function lowerThreadsOfV8(): void {
  const priority = Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW);
  for (const thread of listThreads()) {
    try {
      const name = readFileSync(`${threads}/${thread}/comm`, 'utf8');
      if (name.includes('V8Worker')) setPriority(thread, priority);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function listThreads(): number[] {
  try {
    return readdirSync(threads).map(Number);
  } catch {
    return [];
  }
}
