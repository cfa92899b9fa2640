import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Returns a host as people read it: `xn--mller-kva.example:8080` is `müller.example:8080`. A label that could
 * be taken for another one stays encoded, as browsers do it.
 */
export function shownHost(host: string): string {
  if (!host.includes('xn--')) return host;
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(host) ?? [];
  const labels = name.split('.');
  const last = decodeLabel(labels.at(-1)!);
  return labels.map((label) => (label.startsWith('xn--') ? showLabel(label, last) : label)).join('.') + port;
}

/** Returns a host that somebody typed in the form in which records have it: in lower case and punycode. */
export function encodedHost(host: string): string {
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(host) ?? [];
  const ascii = domainToASCII(name);
  return ascii === '' ? host.toLowerCase() : ascii + port;
}

function showLabel(label: string, topLevel: string): string {
  const shown = decodeLabel(label);
  const isExact = shown !== '' && domainToASCII(shown) === label;
  return isExact && hasOneScript(shown) && !looksLatin(shown, topLevel) ? shown : label;
}

const decodeLabel = (label: string) => (label.startsWith('xn--') ? domainToUnicode(label) : label);

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
/** Letters that nobody can tell from others, or that are not seen at all. */
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
