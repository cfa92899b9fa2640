import { maxContingent } from '@trackside/contract/app/limits.ts';
import { ControlError } from '../database/control-error.ts';

/** Parses a contingent as people write it. Null means unlimited. */
export function parseContingent(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.toLowerCase() === 'unlimited') return null;
  if (!/^\d{1,15}$/.test(trimmed)) throw invalid(text);
  return checkContingent(Number(trimmed));
}

export function checkContingent(contingent: number | null): number | null {
  if (contingent === null) return null;
  const isInRange = Number.isInteger(contingent) && contingent >= 0 && contingent <= maxContingent;
  if (!isInRange) throw invalid(String(contingent));
  return contingent;
}

function invalid(got: string): ControlError {
  return new ControlError(
    'invalid',
    `Monthly quota: expected a whole number of records from 0 to ${maxContingent}, ` +
      `in digits only, or "unlimited", got "${got}".`,
  );
}
