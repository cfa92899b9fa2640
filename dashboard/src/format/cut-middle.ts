/** About three lines in the narrowest column that shows paths as a whole. */
const most = 54;
/** The end of a path distinguishes it from its neighbors more often than the middle. */
const kept = 24;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns a text that leaves out its middle where it would be too long to be shown as a whole. */
export function cutMiddle(text: string): string {
  if (text.length <= most) return text;
  const letters = [...graphemes.segment(text)].map(({ segment }) => segment);
  if (letters.length <= most) return text;
  return `${letters.slice(0, most - kept - 1).join('')}…${letters.slice(-kept).join('')}`;
}
