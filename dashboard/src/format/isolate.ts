/** Letters of the scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns a text that others have chosen for use within a sentence. Right-to-left letters don't move what is
 * next to them then. A path begins at the left in every script. In elements of its own, `VisitorText` does it.
 */
export function isolate(text: string): string {
  if (!rightToLeft.test(text)) return text;
  return `${text.startsWith('/') ? '\u2066' : '\u2068'}${text}\u2069`;
}
