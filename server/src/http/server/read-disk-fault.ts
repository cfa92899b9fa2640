import { readSystemFault, type SystemFault } from '../../files/system-fault.ts';

const messages: Readonly<Record<SystemFault['kind'], string>> = {
  full: "The server's disk is full, so nothing was saved: free up space and try again",
  'read-only': "The server's disk is read-only, so nothing was saved: make it writable and try again",
  denied: "The server can't write to its data folder, so nothing was saved: check its log",
  damaged: "The server's settings database is damaged: check its log",
  'too-many-files': 'The server has too many files open: try again in a moment',
  unreachable: "The server can't open its settings database: check its log",
  away: "The server can't reach its settings database, so nothing was saved: try again in a moment",
  'disk-error': "The server's disk reported an error, so nothing was saved: check its log",
};

/**
 * Returns the answer to a request that failed because of the disk. It has no paths, because clients don't
 * have to know them.
 */
export function readDiskFault(
  error: unknown,
): { message: string; retryAfterSeconds: number; fault: SystemFault } | undefined {
  const fault = readSystemFault(error);
  return fault && { message: messages[fault.kind], retryAfterSeconds: 30, fault };
}
