import { readFileSync } from 'node:fs';

/** Returns the engines of a node, which are its only child processes. */
export function enginePids(nodePid: number): number[] {
  try {
    return readFileSync(`/proc/${nodePid}/task/${nodePid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}
