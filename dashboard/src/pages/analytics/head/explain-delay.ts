import type { Fault } from '#api/fault.ts';

/** Explains why numbers are delayed. Undefined when they aren't, or when another part of the page says so. */
export function explainDelay(fault: Fault | undefined): string | undefined {
  // The banner at the top of every page reports a lost connection.
  if (fault?.kind !== 'unavailable') return undefined;
  switch (fault.code) {
    case 'being-calculated':
      return 'Days of this period are being added up for the first time. Their numbers come by themselves.';
    case 'busy':
      return 'The numbers engine has much to do. The missing numbers come by themselves.';
    default:
      return (
        'The numbers engine is restarting; records are accepted meanwhile. ' +
        'Numbers come back by themselves.'
      );
  }
}
