/** Control characters, invisible characters, those that change the direction of text, and line separators. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes, in JSON's notation, whatever could control a terminal or make a text look like another one,
 * including line breaks. Use it for text that others have chosen and that a person or a program reads line by
 * line.
 */
export function escapeControls(text: string): string {
  return text.replace(unsafe, (found) =>
    Array.from({ length: found.length }, (_, at) => toEscape(found.charCodeAt(at))).join(''),
  );
}

const toEscape = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
