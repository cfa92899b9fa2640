import { ControlError } from '../database/control-error.ts';

/** Returns the timezone in its usual spelling. */
export function parseTimezone(text: string): string {
  const trimmed = text.trim();
  // Offsets such as +01:00 would be accepted, but they don't have daylight saving time.
  if (/^[a-z]/i.test(trimmed)) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: trimmed }).resolvedOptions().timeZone;
    } catch {
      // It isn't a timezone. The message below says what to do.
    }
  }
  const city = trimmed.toLowerCase().replaceAll(' ', '_');
  const suggestion = Intl.supportedValuesOf('timeZone').find((zone) =>
    zone.toLowerCase().endsWith(`/${city}`),
  );
  throw new ControlError(
    'invalid',
    `Timezone: expected an IANA timezone name such as Europe/Berlin or UTC, got "${text}"` +
      (suggestion === undefined ? '.' : `: use ${suggestion}`),
  );
}
