import type { TrackFault } from '../faults/track-fault.ts';

/** The fault of a record that arrived after the client was closed. */
export const lateFault: TrackFault = {
  kind: 'closed',
  message: 'Expected no record after close(), got one: it is not sent.',
  records: 1,
};

/** Returns the fault for records that are lost with the memory of a program. */
export function exitFault(records: number): TrackFault {
  const message =
    'Expected to send all records before the program ends, got some that were not accepted in time: ' +
    'they are lost. Before process.exit(), await close().';
  return { kind: 'closed', message, records };
}

/** Returns the fault for records that were left over when the client was closed. */
export function closedFault(records = 1): TrackFault {
  const message =
    'Expected to send all records before close() timed out, got some that were not accepted in that time.';
  return { kind: 'closed', message, records };
}
