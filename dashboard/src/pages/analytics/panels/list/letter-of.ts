/** The colors of unknown sources. White letters are readable on each of them. */
const colours = ['#334a7d', '#7a4a1f', '#0b6a6a', '#6b3a74', '#8a3245', '#3f5d2c', '#4a5560', '#7a5c12'];

/** The letter on a color that marks a source without an icon. */
export function letterOf(source: string): { letter: string; colour: string } {
  const [letter = '?'] = source.trim().replace(/^(?:www|m)\./i, '');
  return { letter: letter.toLowerCase(), colour: colours[sumOf(source) % colours.length]! };
}

/** Hashes a text, so that it always gets the same color. */
function sumOf(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521;
  return sum;
}
