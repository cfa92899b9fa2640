import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * The process to which a file belongs, as its name says. A process id alone would not do: it is given again
 * after a restart, and means something else in another container.
 */
export type DiskOwner = {
  /** The machine or container within which process ids can be compared. */
  place: string;
  pid: number;
  /** When the process started, where the system tells (Linux); '0' elsewhere. */
  started: string;
  /** Several queues of one process differ by it. */
  random: string;
};

const unknownStart = '0';
const namePattern = /^([\da-f]{8})-(\d+)-([\da-f]+)-([\da-f]{8})\.\d+\.records$/;
const freePattern = /^free-[\da-f]{16}\.records$/;
/** An owner elsewhere shows every minute that it lives. */
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

/** A file that its owner has left behind on purpose. */
export function nameFreeFile(): string {
  return `free-${randomBytes(8).toString('hex')}.records`;
}

export const isRecordsFile = (name: string) => freePattern.test(name) || namePattern.test(name);

/** Whether the owner of a file has ended, so that another may take it. */
export function isAbandoned(
  name: string,
  times: { changedAt: number; createdAt: number; now: number },
  self: DiskOwner,
): boolean {
  if (freePattern.test(name)) return true;
  const [, place = '', pidText, started = '', random] = namePattern.exec(name) ?? [];
  const pid = Number(pidText);
  if (place !== self.place) return times.now - times.changedAt > silenceMs;
  if (random === self.random) return false;
  if (started !== unknownStart) return readStart(pid) !== started;
  if (pid !== self.pid) return !isRunning(pid);
  // This process, or an earlier one of the same number: that one's files are older than this process.
  return times.createdAt < times.now - process.uptime() * 1000 - 1000;
}

function describePlace(): string {
  return shorten(`${hostname()} ${readSafely(() => readlinkSync('/proc/self/ns/pid')) ?? ''}`);
}

/** Undefined when there is no such process, or when it has ended and only its parent does not know yet. */
function readStart(pid: number): string | undefined {
  const stat = readSafely(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (stat === undefined) return undefined;
  // The name of the program stands in brackets and can hold anything, so counting begins behind it.
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
