import { OperatorError } from '../operator-error.ts';
import { sqliteCode } from './sqlite-code.ts';

/**
 * A fault of the machine, its disk or its files, as opposed to a bug. Says what happened and what to do about
 * it.
 */
export type SystemFault = {
  kind:
    | 'full'
    | 'read-only'
    | 'denied'
    | 'damaged'
    | 'too-many-files'
    | 'unreachable'
    | 'disk-error'
    | 'away';
  /** Neither text ends with a period, and the second begins with a verb. */
  says: string;
  todo: string;
};

const restore =
  'stop the server, move the file and its -wal and -shm files away, ' +
  'and restore a backup (docs/operating.md, "… the control database is missing or damaged")';

const control = 'the control database';

/** Faults by SQLite's primary code, for a database with this name. */
const bySqliteCode: Readonly<Record<number, (what: string) => SystemFault>> = {
  3: denied,
  8: (what) => ({
    kind: 'read-only',
    says: `${what} cannot be written`,
    todo:
      'check that its disk is not mounted read-only, ' +
      'and that its folder belongs to the user who runs Trackside',
  }),
  10: (what) => ({
    kind: 'disk-error',
    says: `the disk failed to read or write ${what}`,
    todo:
      'check its free space (df, df -i), its health (dmesg) and the limits of this user (ulimit -f), ' +
      'then try again',
  }),
  11: damaged,
  13: full,
  14: (what) => ({
    kind: 'unreachable',
    says: `${what} cannot be opened`,
    todo:
      'check who owns its folder, that its disk is not mounted read-only, ' +
      'and the limit on open files (ulimit -n)',
  }),
  26: (what) => ({ kind: 'damaged', says: `${what} is damaged: it is not a database`, todo: restore }),
};

/** Reads an error of the system or of SQLite. Returns undefined for any other error. */
export function readSystemFault(error: unknown): SystemFault | undefined {
  if (error instanceof SystemFaultError) return error.fault;
  if (!(error instanceof Error)) return undefined;
  if (error.cause instanceof SystemFaultError) return error.cause.fault;
  const ofSqlite = sqliteCode(error);
  // If the file isn't control's, the code that opens it names it with `nameDatabase`.
  if (ofSqlite !== undefined) return bySqliteCode[ofSqlite]?.(control);
  if (!('code' in error) || !('syscall' in error)) return undefined;
  const hasPath = 'path' in error;
  const path = hasPath ? String(error.path) : 'the data folder';
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return full(path);
    case 'EROFS':
      return {
        kind: 'read-only',
        says: `${path} is on a file system that is mounted read-only`,
        todo: 'mount it for writing, or choose another --data-dir',
      };
    case 'EACCES':
    case 'EPERM':
      return denied(path);
    case 'EMFILE':
    case 'ENFILE':
      return {
        kind: 'too-many-files',
        says: `${path} cannot be opened: too many files are open`,
        todo: 'raise the limit: ulimit -n 65536, or LimitNOFILE=65536 in the service file',
      };
    case 'EFBIG':
      return {
        kind: 'disk-error',
        says: `${path} cannot grow: it has reached the limit on file size`,
        todo: 'raise the limit (ulimit -f), then try again',
      };
    case 'EIO':
      return {
        kind: 'disk-error',
        says: `the disk failed to read or write ${path}`,
        todo: "check the disk's health (dmesg); if it is failing, move the data folder to another disk",
      };
    case 'ENOTDIR':
    case 'EEXIST':
      if (!hasPath || (error.code === 'EEXIST' && error.syscall !== 'mkdir')) return undefined;
      return {
        kind: 'unreachable',
        says: `${path} cannot be used: there is a file where a folder should be`,
        todo: 'move that file away, or choose another --data-dir',
      };
    case 'EISDIR':
      if (!hasPath) return undefined;
      return {
        kind: 'unreachable',
        says: `${path} cannot be opened: there is a folder where a file should be`,
        todo: 'move that folder away, or choose another --data-dir',
      };
    default:
      return undefined;
  }
}

/** A fault of the system about a known file or database. */
export class SystemFaultError extends OperatorError {
  override name = 'SystemFaultError';
  readonly fault: SystemFault;

  constructor(fault: SystemFault, cause?: unknown) {
    super(spellFault(fault), cause === undefined ? {} : { cause });
    this.fault = fault;
  }
}

/**
 * Names the file that the error is about. An error that isn't a fault of the system is returned unchanged.
 */
export function nameDatabase(
  error: unknown,
  what: string,
  { ifDamaged }: { ifDamaged?: string } = {},
): unknown {
  const ofSqlite = sqliteCode(error);
  const fault = ofSqlite === undefined ? readSystemFault(error) : bySqliteCode[ofSqlite]?.(what);
  if (fault === undefined) return error;
  const todo = fault.kind === 'damaged' ? (ifDamaged ?? fault.todo) : fault.todo;
  return new SystemFaultError({ ...fault, todo }, error);
}

export function spellFault({ says, todo }: SystemFault): string {
  return `${capital(says)}. ${capital(todo)}.`;
}

export function damaged(what: string): SystemFault {
  return { kind: 'damaged', says: `${what} is damaged`, todo: restore };
}

export function full(what: string): SystemFault {
  return {
    kind: 'full',
    says: `the disk is full: ${what} cannot be written`,
    todo: 'free up space, or inodes if those ran out (df, df -i), then try again',
  };
}

function denied(what: string): SystemFault {
  return {
    kind: 'denied',
    says: `permission denied: ${what}`,
    todo: 'run this as the owner of the data folder, or change the owner (chown -R)',
  };
}

export function capital(text: string): string {
  // Don't capitalize a path.
  return text.startsWith('/') ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
