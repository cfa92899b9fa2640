import { isReadableLabel } from '@trackside/contract/stats/is-readable-label.ts';
import { shownPath } from '@trackside/contract/stats/shown-path.ts';
import { shownText } from '@trackside/contract/stats/shown-text.ts';
import { decodePunycode } from './decode-punycode.ts';

/** Returns a path as people read it. Escapes stay where the decoded path could be taken for another one. */
export const showPath = (path: string): string => shownText(shownPath(path));

/**
 * Returns a host in its own letters. A label that could be taken for another one stays in punycode, as in
 * the address bar of a browser.
 */
export function showHost(host: string): string {
  if (!host.includes('xn--')) return shownText(host);
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(host) ?? [];
  const labels = name.split('.');
  const topLevel = decodeLabel(labels.at(-1)!) ?? '';
  return shownText(labels.map((label) => showLabel(label, topLevel)).join('.') + port);
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

/** Returns the address of a page elsewhere, without the parts that never distinguish two of them. */
export function showReferrer(referrer: string): string {
  const [, host, path = '', query = ''] = /^https?:\/\/(?:www\.)?([^/?#]+)([^?]*)(.*)$/s.exec(referrer) ?? [];
  if (host === undefined) return shownText(referrer);
  const shownQuery = shownText(query.replace(otherLetters, (letters) => shownPath(letters)));
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
  (Object.hasOwn(showByDimension, dimension) ? showByDimension[dimension]! : shownText)(value);
