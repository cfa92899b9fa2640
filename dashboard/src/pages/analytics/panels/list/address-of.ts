/** Returns the address of a value. Undefined for values that are not addresses. */
export function addressOf(dimension: string, value: string, domain: string): string | undefined {
  if (dimension === 'page' || dimension === 'entryPage' || dimension === 'exitPage') {
    // Two slashes would start another host name. A browser encodes everything but spaces at the end.
    return /^\/(?!\/)/.test(value) ? `https://${domain}${value.replaceAll(' ', '%20')}` : undefined;
  }
  return dimension === 'referrer' && /^https?:\/\//.test(value) ? value : undefined;
}
