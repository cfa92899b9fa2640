import { ControlError } from '../database/control-error.ts';

/**
 * Parses text that people write and read on one line. `what` begins the sentence that says what is wrong with
 * it.
 */
export function parseOneLine(what: string, text: string, maxLength: number): string {
  const line = text.trim();
  const { length } = [...line];
  if (length === 0 || length > maxLength)
    throw new ControlError('invalid', `${what}: expected 1 to ${maxLength} characters, got ${length}.`);
  if (hasControlCharacters(line))
    throw new ControlError(
      'invalid',
      `${what}: expected one line of text, got line breaks or control characters.`,
    );
  return line;
}

/** Includes halves of characters, which are not text. */
export const hasControlCharacters = (text: string) => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
