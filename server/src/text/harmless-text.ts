/** What ends a line or moves on to the next cell wherever it stands, quoted or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const controls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g;
/** Where a cell begins for a program that separates by this sign, and what it may skip to find a formula. */
const formula =
  /(^|[,;])([ "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * A text that no spreadsheet takes for a formula, whichever sign it separates the cells of a CSV file by. One
 * that separates by semicolons finds a cell in the middle of another, because for it the quotes are not at
 * the beginning. The apostrophe means text to a spreadsheet.
 */
export function harmlessText(text: string): string {
  return text.replaceAll(controls, ' ').replaceAll(formula, "$1$2'$3");
}
