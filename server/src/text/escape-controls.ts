/** Control characters, invisible ones and those that turn the direction of text, and separators of lines. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Writes out what would drive a terminal or make a text look like another one, line breaks too, as escapes
 * that JSON knows. For text that others have chosen, where a person or a program reads it line by line.
 */
export function escapeControls(text: string): string {
  return text.replace(unsafe, (found) =>
    Array.from({ length: found.length }, (_, at) => toEscape(found.charCodeAt(at))).join(''),
  );
}

const toEscape = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
