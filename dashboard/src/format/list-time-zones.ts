export type TimeZone = { name: string; offset: string };

/**
 * The current offset of a timezone as people write it: UTC+5:30. Undefined when the browser doesn't know the
 * timezone.
 */
export function offsetOf(name: string, at: Date): string | undefined {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'shortOffset' });
    const part = format.formatToParts(at).find(({ type }) => type === 'timeZoneName');
    return part?.value.replace('GMT', 'UTC').replace(/\+0$/, '').replace('-', '−');
  } catch {
    return undefined;
  }
}

/** Every timezone that the browser knows, UTC first, plus the current one even when its name is outdated. */
export function listTimeZones(at: Date, inUse: string): TimeZone[] {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(inUse === '' ? [] : [inUse])]);
  return [...names].map((name) => ({ name, offset: offsetOf(name, at) ?? '' }));
}

/** The timezones whose name, with spaces for underscores, or offset contains every word of the search. */
export function searchTimeZones(zones: readonly TimeZone[], search: string): TimeZone[] {
  const words = search
    .toLowerCase()
    .replace(/-(?=\d)/g, '−')
    .split(/[\s_/]+/)
    .filter(Boolean);
  return zones.filter(({ name, offset }) => {
    const text = `${name.replace(/[_/]/g, ' ')} ${offset}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
