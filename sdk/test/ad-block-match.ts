/**
 * Returns whether a rule of an ad blocker's list matches a URL. It knows `||host`, `|` at either end, `*` and
 * `^`. Options after `$`, which narrow a rule down, are ignored, so that this finds more matches than a
 * browser would.
 */
export function matchesAdBlockRule(rule: string, address: string): boolean {
  const pattern = rule.replace(/\$[a-z~][^/]*$/, '');
  const parts = /^(\|\||\|)?(.*?)(\|)?$/.exec(pattern);
  const [, start = '', middle = '', end = ''] = parts ?? [];
  const text = middle
    .replace(/[.+?${}()|[\]\\/]/g, '\\$&')
    .replaceAll('*', '.*')
    // Anything but a letter, a digit, or one of _ - . %. The end counts as well.
    .replaceAll('^', '(?:[^\\w.%-]|$)');
  return new RegExp(`${starts[start]}${text}${end === '' ? '' : '$'}`, 'i').test(address);
}

const starts: Readonly<Record<string, string>> = {
  '': '',
  '|': '^',
  // At the beginning of the host or of one of its labels.
  '||': '^[a-z][a-z0-9+.-]*:\\/+(?:[^\\/?#]*\\.)?',
};
