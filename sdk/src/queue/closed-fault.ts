import type { TrackFault } from '../faults/track-fault.ts';

/** Returns the fault for records that were left over when the client was closed. */
export function closedFault(records = 1): TrackFault {
  const message = 'Expected to send all records before close() timed out, got no response in that time.';
  return { kind: 'closed', message, records };
}
