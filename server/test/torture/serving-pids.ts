import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from '../support/wait-for.ts';

/**
 * Returns the processes that run `trackside serve` on a data folder: the server, and its launcher if it has
 * one. One that has ended and waits to be noticed has no command line anymore.
 */
export function servingPids(dataDir: string): number[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
    } catch {
      // It has just ended, or belongs to somebody else.
      return [];
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, 'cmdline').includes('serve'))
    .filter((pid) => read(pid, 'environ').includes(`TRACKSIDE_DATA_DIR=${dataDir}`))
    .map(Number);
}

/** A server that has lost its launcher finishes what it has begun, so it needs a moment. */
export const untilNobodyServes = (dataDir: string): Promise<void> =>
  waitFor('the server to have ended', () => servingPids(dataDir).length === 0);
