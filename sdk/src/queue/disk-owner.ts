import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * The process that owns a file, as its name says. A process id alone is not enough: it is reused after a
 * restart, and means something else in another container.
 */
export type DiskOwner = {
  /** The machine or container within which process ids can be compared. */
  place: string;
  pid: number;
  /** When the process started, if the system reveals it (Linux); '0' elsewhere. */
  started: string;
  /** Distinguishes several queues of one process. */
  random: string;
};

const unknownStart = '0';
const namePattern = /^([\da-f]{8})-(\d+)-([\da-f]+)-([\da-f]{8})\.\d+\.records$/;
const freePattern = /^free-[\da-f]{16}\.records$/;
/** An owner on another machine shows every minute that it is alive. */
const silenceMs = 10 * 60_000;

export function createOwner(): DiskOwner {
  const random = randomBytes(4).toString('hex');
  return {
    place: describePlace(),
    pid: process.pid,
    started: readStart(process.pid) ?? unknownStart,
    random,
  };
}

export function nameFile({ place, pid, started, random }: DiskOwner, number: number): string {
  return `${place}-${pid}-${started}-${random}.${number}.records`;
}

/** Returns the name of a file that its owner leaves behind on purpose. */
export function nameFreeFile(): string {
  return `free-${randomBytes(8).toString('hex')}.records`;
}

export const isRecordsFile = (name: string) => freePattern.test(name) || namePattern.test(name);

export type FileTimes = {
  changedAt: number;
  createdAt: number;
  now: number;
  /** When this process looked before, or now if it looks for the first time. */
  lookedAt: number;
};

/** Returns whether the owner of a file has ended, so that another process may take it. */
export function isAbandoned(name: string, times: FileTimes, self: DiskOwner): boolean {
  if (freePattern.test(name)) return true;
  const [, place = '', pidText, started = '', random] = namePattern.exec(name) ?? [];
  const pid = Number(pidText);
  // After the machine slept or its clock was set, every owner seems silent. So a file must have been silent a
  // look ago already: since then, a living owner has changed it.
  if (place !== self.place) return Math.min(times.now, times.lookedAt) - times.changedAt > silenceMs;
  if (random === self.random) return false;
  if (started !== unknownStart) return readStart(pid) !== started;
  if (pid !== self.pid) return !isRunning(pid);
  // The file belongs to this process, or to an earlier one with the same id, whose files are older than this
  // process.
  return times.createdAt < times.now - process.uptime() * 1000 - 1000;
}

function describePlace(): string {
  return shorten(`${hostname()} ${readSafely(() => readlinkSync('/proc/self/ns/pid')) ?? ''}`);
}

/**
 * Returns undefined if there is no such process, or if it has ended and only its parent does not know yet.
 */
function readStart(pid: number): string | undefined {
  const stat = readSafely(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (stat === undefined) return undefined;
  // The program's name is in parentheses and can hold anything, so the fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const boot = readSafely(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')) ?? '';
  return shorten(`${boot} ${fields[19]}`);
}

const shorten = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function readSafely(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
