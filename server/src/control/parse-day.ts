import { ControlError } from './control-error.ts';

/** What the store's dates can be. */
const first = '1970-01-01';
const last = '2149-06-06';

/** A day of the calendar, such as 2026-11-03. */
export function parseDay(text: string): string {
  const day = text.trim();
  if (isDay(day) && day >= first && day <= last) return day;
  throw new ControlError('invalid', 'The day: expected one of the calendar, such as 2026-11-03.');
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // 30 February is read as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
