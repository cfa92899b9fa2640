import { passwordLength } from '@trackside/contract/app/limits.ts';
import type { Format } from '#format/create-format.ts';
import type { SharedWords } from '#words/shared-words.ts';

export type PasswordRating = { level: 0 | 1 | 2 | 3; text: string };

/** A rough estimate of how hard a password is to guess. Length counts most. The server has the final say. */
export function ratePassword(
  password: string,
  words: SharedWords['password'],
  format: Pick<Format, 'count'>,
): PasswordRating {
  const length = [...password].length;
  if (length === 0) return { level: 0, text: words.empty };
  const missing = passwordLength.min - length;
  if (missing > 0) return { level: 1, text: format.count(missing, words.tooShort) };
  const isMonotonous = new Set(password.toLowerCase()).size < 6 || /^(?:\d+|(.{1,4})\1+)$/.test(password);
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length;
  if (isMonotonous) return { level: 1, text: words.easy };
  if (length >= 16 || (length >= 13 && kinds >= 3)) return { level: 3, text: words.strong };
  return { level: 2, text: words.fine };
}
