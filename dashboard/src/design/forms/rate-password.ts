import { passwordLength } from '@trackside/contract/app/limits.ts';

export type PasswordRating = { level: 0 | 1 | 2 | 3; text: string };

/** A rough estimate of how hard a password is to guess. Length counts most. The server has the final say. */
export function ratePassword(password: string): PasswordRating {
  const length = [...password].length;
  if (length === 0)
    return { level: 0, text: `At least ${passwordLength.min} characters. A few words are easy to keep.` };
  if (length < passwordLength.min) {
    const missing = passwordLength.min - length;
    return {
      level: 1,
      text: `Too short: ${missing} more ${missing === 1 ? 'character' : 'characters'} needed.`,
    };
  }
  const isMonotonous = new Set(password.toLowerCase()).size < 6 || /^(?:\d+|(.{1,4})\1+)$/.test(password);
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length;
  if (isMonotonous) return { level: 1, text: 'Easy to guess: use more different characters.' };
  if (length >= 16 || (length >= 13 && kinds >= 3)) return { level: 3, text: 'Strong.' };
  return { level: 2, text: 'Fine. Longer is stronger.' };
}
