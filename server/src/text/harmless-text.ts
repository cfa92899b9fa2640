/** Characters that end a line or a cell wherever they are, quoted or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const controls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g;
/**
 * The start of a cell for a program that separates cells by this character, and what the program may skip
 * before a formula.
 */
const formula =
  /(^|[,;])([ "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Makes a text safe, so that no spreadsheet takes it for a formula, no matter which character separates the
 * cells of a CSV file. A program that separates by semicolons can find a cell in the middle of another one,
 * because the quotes are then not at its beginning. To a spreadsheet, the apostrophe marks text.
 */
export function harmlessText(text: string): string {
  return text.replaceAll(controls, ' ').replaceAll(formula, "$1$2'$3");
}
