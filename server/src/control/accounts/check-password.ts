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
  if (plain === email) throw refusal('expected something other than the email address');
  if (commonPasswords.has(plain)) {
    throw refusal('expected one that is hard to guess, got a very common one');
  }
}

const refusal = (problem: string) => new ControlError('invalid', `Password: ${problem}.`, 'password');
