/** What the store's dates can be. */
const first = '1970-01-01';
const last = '2149-06-06';

/** A day of the calendar, such as 2026-11-03. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // 30 February is read as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text;
}

/** One that a record can have. */
export const isStorableDay = (text: string): boolean => isDay(text) && text >= first && text <= last;
