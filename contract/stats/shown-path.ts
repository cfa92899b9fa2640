/**
 * One character in percent-encoding: an ASCII character, or two to four bytes that begin and continue as in
 * UTF-8.
 */
const following = '%[89ABab][0-9A-Fa-f]';
const character = [
  '%[0-7][0-9A-Fa-f]',
  `%[CDcd][0-9A-Fa-f]${following}`,
  `%[Ee][0-9A-Fa-f]${following}${following}`,
  `%[Ff][0-9A-Fa-f]${following}${following}${following}`,
];
/** A single escape, which is not a character. */
const byte = '%[0-9A-Fa-f][0-9A-Fa-f]';

/** Finds every `%` in a text: first the escapes of whole characters, then what is left. */
const escapes = new RegExp([...character, byte, '%'].join('|'), 'g');

/**
 * What stays encoded: what has a special meaning in a path, what is invisible, and what can make a path look
 * like another one. A plain space is fine.
 */
const staying =
  /[/?#%\\\u2800\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

/**
 * Returns a path as people read it: `/caf%c3%a9` and `/caf%C3%A9` are both `/café`. Escapes that have to stay
 * are in uppercase, and a `%` that begins none is `%25`. So each page has exactly one form, and applying this
 * function again changes nothing.
 */
export function shownPath(path: string): string {
  return path.includes('%') ? path.replace(escapes, decodeEscape) : path;
}

/** Decodes what `escapes` finds, or returns it in uppercase if it has to stay as it is. */
function decodeEscape(encoded: string): string {
  if (encoded === '%') return '%25';
  try {
    const decoded = decodeURIComponent(encoded);
    return staying.test(decoded) ? encoded.toUpperCase() : decoded;
  } catch {
    // Bytes that are not UTF-8.
    return encoded.toUpperCase();
  }
}
