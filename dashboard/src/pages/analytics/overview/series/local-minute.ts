/** The wall-clock minute of a moment somewhere, such as `2026-11-03T14:05`; of UTC where this browser does not know it. */
export function localMinute(moment: string, timeZone: string): string {
  return (tryFormat(moment, timeZone) ?? tryFormat(moment, 'UTC')!).replace(' ', 'T');
}

function tryFormat(moment: string, timeZone: string): string | undefined {
  try {
    // Swedish dates are written as ISO dates are.
    return new Intl.DateTimeFormat('sv-SE', {
      ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    }).format(new Date(moment));
  } catch {
    return undefined;
  }
}
