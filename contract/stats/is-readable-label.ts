/**
 * Whether a label of a host can be shown in its own letters, because nobody can take it for another one.
 * `topLevel` is the last label of the host.
 */
export function isReadableLabel(label: string, topLevel: string): boolean {
  return hasOneScript(label) && !looksLatin(label, topLevel);
}

/** The letters that one label may have, as in the profile "highly restrictive" of UTS 39. */
const scripts = [
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u,
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]+$/u,
  /^[\p{sc=Han}\p{sc=Bopomofo}\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]+$/u,
  /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]+$/u,
  ...[
    ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek'],
    ...['Gujarati', 'Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya'],
    ...['Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
  ].map((script) => new RegExp(`^[\\p{Script=${script}}\\d\\p{Script=Inherited}-]+$`, 'u')),
];
/** Letters that nobody can distinguish from others, or that are invisible. */
const unfit =
  /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u0131\u0138\u0259\u026f\u0292\u02bb\u02bc\u30fb\u2027]/u;

function hasOneScript(label: string): boolean {
  return !unfit.test(label) && scripts.some((script) => script.test(label));
}

/** Cyrillic and Greek letters that look like Latin ones. */
const lookAlikes = /^[асԁеһіјӏорԛѕԝхуъЬҽпгѵѡαικνορτυωχγ\d-]+$/u;

/**
 * Whether a label in Cyrillic or Greek could be read as one in Latin. Under a top level in its own script, it
 * is not.
 */
function looksLatin(label: string, topLevel: string): boolean {
  return lookAlikes.test(label) && /^[a-z\d-]*$/.test(topLevel);
}
