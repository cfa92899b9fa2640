/** Where the value of a dimension can be looked at; undefined where it is no address. */
export function addressOf(dimension: string, value: string, domain: string): string | undefined {
  if (dimension === 'page' || dimension === 'entryPage' || dimension === 'exitPage') {
    // Two slashes would begin another host.
    return /^\/(?!\/)/.test(value) ? `https://${domain}${value}` : undefined;
  }
  return dimension === 'referrer' && /^https?:\/\//.test(value) ? value : undefined;
}
