import { maxEmailLength } from '@trackside/contract/app/limits.ts';
import { ControlError } from '../database/control-error.ts';

/** How an e-mail address is looked up: two ways to type it must not be two users. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase().normalize('NFC');
}

/** Not more than what keeps mistakes out: whether mail arrives can only be found out by sending one. */
export function parseEmail(text: string): string {
  const email = normalizeEmail(text);
  const length = [...email].length;
  if (length > maxEmailLength) throw refusal(`expected at most ${maxEmailLength} characters, got ${length}`);
  if (/[\p{C}\p{Z}]/u.test(email)) throw refusal('expected no spaces or control characters in it');
  if (/^[^@]+@[^@]+$/.test(email)) return email;
  throw refusal(`expected one such as ada@example.com, got "${email}"`);
}

const refusal = (problem: string) => new ControlError('invalid', `The e-mail address: ${problem}.`, 'email');
