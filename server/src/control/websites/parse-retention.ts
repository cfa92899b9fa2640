import { ControlError } from '../database/control-error.ts';

/** A hundred years. */
const maxDays = 36_500;

/** A retention as a person writes it; null means for ever. */
export function parseRetention(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.toLowerCase() === 'forever') return null;
  if (!/^\d{1,9}$/.test(trimmed)) throw invalid(text);
  return checkRetention(Number(trimmed));
}

export function checkRetention(days: number | null): number | null {
  if (days === null) return null;
  if (!Number.isInteger(days) || days < 1 || days > maxDays) throw invalid(String(days));
  return days;
}

function invalid(got: string): ControlError {
  return new ControlError(
    'invalid',
    `The retention: expected a whole number of days from 1 to ${maxDays}, in digits only, or "forever", got "${got}".`,
  );
}
