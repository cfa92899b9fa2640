import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The engine process that has a store open, as it described itself when it took the store's lock. */
export type StoreHolder = {
  pid: number;
  /**
   * The time at which the kernel started the process. Another process that gets the same pid later has a
   * different one.
   */
  startedAt: string;
  /** The process that started the engine, and the command that it was started for. */
  parentPid: number;
  command: string;
};

type Running = { parentPid: number; startedAt: string; argv: string[] };

const fileOf = (storeFolder: string) => join(`${storeFolder}.run`, 'holder.json');

/**
 * The engine writes this when it has just taken the lock. It needs no cleanup, because readers check that the
 * process is alive.
 */
export function recordHolder(storeFolder: string, options: { parentPid: number; command: string }): void {
  const startedAt = readProcess(process.pid)?.startedAt ?? '';
  const holder: StoreHolder = { pid: process.pid, startedAt, ...options };
  mkdirSync(`${storeFolder}.run`, { recursive: true, mode: 0o700 });
  const file = fileOf(storeFolder);
  writeFileSync(`${file}.new`, JSON.stringify(holder), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Undefined if nothing is known about the holder, which includes every system without /proc. */
export function readHolder(storeFolder: string): StoreHolder | undefined {
  const holder = readRecord(fileOf(storeFolder));
  const running = holder && readProcess(holder.pid);
  return running !== undefined && isSame(holder!, running, storeFolder) ? holder : undefined;
}

/**
 * Ends the holder if the process that started it is gone, and returns its pid in that case. Nobody is waiting
 * for its work, and the store survives a kill at any moment. No other process is ever touched.
 */
export function endOrphan(storeFolder: string): number | undefined {
  const holder = readHolder(storeFolder);
  if (holder === undefined || readProcess(holder.pid)?.parentPid === holder.parentPid) return undefined;
  process.kill(holder.pid, 'SIGKILL');
  return holder.pid;
}

export function nameHolder(holder: StoreHolder | undefined): string {
  if (holder === undefined) return 'another process';
  if (holder.command === serverCommand) return `another engine process (pid ${holder.pid})`;
  return `\`${holder.command}\` (pid ${holder.parentPid})`;
}

/** Describes the holder to those who are waiting for the store. */
export function describeHolder(holder: StoreHolder | undefined): string {
  const name = nameHolder(holder);
  return holder === undefined || holder.command === serverCommand
    ? `waiting for ${name}, which still holds the store`
    : `waiting for ${name} to finish with the store`;
}

export const serverCommand = 'trackside serve';

/** The engine as source code, and as a built file. */
const engineFile = /\/engine(\/main\.ts|-main\.js)$/;

function readRecord(file: string): StoreHolder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isSame(holder: StoreHolder, running: Running, storeFolder: string): boolean {
  const { startedAt, argv } = running;
  const isEngine = argv.some((word) => engineFile.test(word));
  return startedAt === holder.startedAt && isEngine && argv[argv.indexOf('--folder') + 1] === storeFolder;
}

/** What Linux says about a process. Undefined if the process has ended, or if there is no /proc. */
function readProcess(pid: number): Running | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before these fields is in parentheses, and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { parentPid: Number(fields[1]), startedAt: fields[19]!, argv };
  } catch {
    return undefined;
  }
}
