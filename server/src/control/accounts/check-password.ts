import { passwordLength } from '@trackside/contract/app/limits.ts';
import { ControlError } from '../database/control-error.ts';
import { commonPasswords } from './common-passwords.ts';

const { min: minLength, max: maxLength } = passwordLength;

/** Refuses a new password that is too easy to guess. */
export function checkPassword(password: string, email?: string): void {
  const length = [...password].length;
  if (length < minLength || length > maxLength) {
    throw refusal(`expected ${minLength} to ${maxLength} characters, got ${length}`);
  }
  const plain = password.trim().toLowerCase();
  if (plain === email) throw refusal('expected something else than the e-mail address');
  if (commonPasswords.has(plain)) {
    throw refusal('expected one that is hard to guess, got one of those that are tried first');
  }
}

const refusal = (problem: string) => new ControlError('invalid', `The password: ${problem}.`, 'password');
