import fc from 'fast-check';

/** UTF-16 needs these to write larger numbers as pairs. They are not characters by themselves. */
const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, for `fc.string({ unit: anyCharacter })`. fast-check's own unit "binary" is the
 * same, but builds a table of all million characters. That takes a second, and keeps 80 MB that every garbage
 * collection has to look through.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map(toCharacter, toNumber);

function toCharacter(number: number): string {
  return String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count);
}

/** With this, fast-check also tries words that are dangerous as names, such as `__proto__`. */
function toNumber(character: unknown): number {
  const number = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (number === undefined || character !== String.fromCodePoint(number)) throw new Error('not a character');
  return number < surrogates.first ? number : number - surrogates.count;
}
