import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

const low = 10;

/**
 * Lets everything else on the machine come first. Linux has a priority for each thread, which those that it
 * starts inherit, and Node has started some by now.
 */
export function lowerPriority(): void {
  setPriority(0, low);
  for (const thread of listThreads()) {
    try {
      setPriority(thread, low);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function listThreads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}
