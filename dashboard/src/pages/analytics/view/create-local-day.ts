/** Tells the day it is in a timezone; in UTC where this browser does not know it. */
export function createLocalDay(timezone: string): (ms: number) => string {
  const options = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const formatIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { ...options, timeZone });
  let format: Intl.DateTimeFormat;
  try {
    format = formatIn(timezone);
  } catch {
    format = formatIn('UTC');
  }
  return (ms) => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return `${part.year}-${part.month}-${part.day}`;
  };
}
