import { ControlError } from './control-error.ts';

const maxLength = 100;

/** What people call the website; on one line. */
export function parseWebsiteName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length === 0 || length > maxLength)
    throw new ControlError('invalid', `The name: expected 1 to ${maxLength} characters, got ${length}.`);
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name))
    throw new ControlError(
      'invalid',
      'The name: expected one line of text, got line breaks or control characters.',
    );
  return name;
}
