import { retentionDays } from '@trackside/contract/app/limits.ts';
import { ControlError } from '../database/control-error.ts';

const { min: minDays, max: maxDays } = retentionDays;

/** Parses a retention as people write it. Null means forever. */
export function parseRetention(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.toLowerCase() === 'forever') return null;
  if (!/^\d{1,9}$/.test(trimmed)) throw invalid(text);
  return checkRetention(Number(trimmed));
}

export function checkRetention(days: number | null): number | null {
  if (days === null) return null;
  if (!Number.isInteger(days) || days < minDays || days > maxDays) throw invalid(String(days));
  return days;
}

function invalid(got: string): ControlError {
  return new ControlError(
    'invalid',
    `Retention: expected a whole number of days from ${minDays} to ${maxDays}, in digits only, ` +
      `or "forever", got "${got}".`,
  );
}
