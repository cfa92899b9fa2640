import { readSystemFault, type SystemFault } from '../../files/system-fault.ts';
import type { Log } from '../../log.ts';

/**
 * A log for parts that go on after a fault. What is wrong with the machine is kept for the command, which reports
 * it in one line instead of an answer that may be old.
 */
export function noteFaults(log: Log): { log: Log; firstFault: () => SystemFault | undefined } {
  let first: SystemFault | undefined;
  const error = (fields: { err?: unknown }, message: string): void => {
    const fault = readSystemFault(fields.err);
    if (fault === undefined) log.error(fields, message);
    else first ??= fault;
  };
  return { log: Object.assign(Object.create(log), { error }), firstFault: () => first };
}
