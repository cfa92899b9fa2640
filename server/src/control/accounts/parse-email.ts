import { maxEmailLength } from '@trackside/contract/app/limits.ts';
import { ControlError } from '../database/control-error.ts';

/** The form in which an email address is looked up, so that two ways of typing it don't become two users. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase().normalize('NFC');
}

/** Checks only enough to catch mistakes: whether mail arrives can only be found out by sending one. */
export function parseEmail(text: string): string {
  const email = normalizeEmail(text);
  const length = [...email].length;
  if (length > maxEmailLength) throw refusal(`expected at most ${maxEmailLength} characters, got ${length}`);
  if (/[\p{C}\p{Z}]/u.test(email)) throw refusal('expected no spaces or control characters');
  if (/^[^@]+@[^@]+$/.test(email)) return email;
  throw refusal(`expected an address such as ada@example.com, got "${email}"`);
}

const refusal = (problem: string) => new ControlError('invalid', `Email: ${problem}.`, 'email');
