import { isReadableLabel } from '@trackside/contract/stats/is-readable-label.ts';
import { shownPath } from '@trackside/contract/stats/shown-path.ts';
import { decodePunycode } from './decode-punycode.ts';

/**
 * What nobody sees, or what changes the order of the text around it: controls, marks of direction, line
 * separators, and letters without a width. Joiners may stay where emoji and some scripts need them.
 */
const unseen =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{sc=Arabic}\p{sc=Syriac}])[\u200c\u200d]|(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;

/**
 * Returns a text that others have chosen, such as the name of an event, in a form that can't pass for another
 * text: characters that nobody sees are spelled out.
 */
export const showText = (text: string): string =>
  text.replace(unseen, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);

/** Returns a path as people read it. Escapes stay where the decoded path could be taken for another one. */
export const showPath = (path: string): string => showText(shownPath(path));

/**
 * Returns a host in its own letters. A label that could be taken for another one stays in punycode, as in
 * the address bar of a browser.
 */
export function showHost(host: string): string {
  if (!host.includes('xn--')) return showText(host);
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(host) ?? [];
  const labels = name.split('.');
  const topLevel = decodeLabel(labels.at(-1)!) ?? '';
  return showText(labels.map((label) => showLabel(label, topLevel)).join('.') + port);
}

function showLabel(label: string, topLevel: string): string {
  const decoded = decodeLabel(label);
  const isExact = decoded !== undefined && URL.parse(`http://${decoded}`)?.hostname === label;
  return isExact && isReadableLabel(decoded, topLevel) ? decoded : label;
}

const decodeLabel = (label: string) =>
  label.startsWith('xn--') ? decodePunycode(label.slice('xn--'.length)) : label;

/** Letters beyond ASCII in a query. Its other escapes stay, because they may separate its parts. */
const otherLetters = /(?:%[89a-f][\da-f])+/gi;

/** Returns the address of a page elsewhere, without the parts that never tell two of them apart. */
export function showReferrer(referrer: string): string {
  const [, host, path = '', query = ''] = /^https?:\/\/(?:www\.)?([^/?#]+)([^?]*)(.*)$/s.exec(referrer) ?? [];
  if (host === undefined) return showText(referrer);
  const shownQuery = showText(query.replace(otherLetters, (letters) => shownPath(letters)));
  return showHost(host) + (query === '' ? showPath(path).replace(/\/$/, '') : showPath(path) + shownQuery);
}

const showByDimension: Readonly<Record<string, (value: string) => string>> = {
  page: showPath,
  entryPage: showPath,
  exitPage: showPath,
  host: showHost,
  // A source that has no name is a host.
  source: showHost,
  referrer: showReferrer,
};

/** Returns a value that visitors or their pages have chosen, as it can be shown. */
export const showValue = (dimension: string, value: string): string =>
  (Object.hasOwn(showByDimension, dimension) ? showByDimension[dimension]! : showText)(value);
