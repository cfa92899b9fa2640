import type { Fault } from '#api/fault.ts';

/** Why numbers have to be waited for; undefined when that is said elsewhere, or they are not waited for. */
export function explainDelay(fault: Fault | undefined): string | undefined {
  // A lost connection is told at the top of every page.
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
