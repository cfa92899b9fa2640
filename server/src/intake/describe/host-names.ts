/**
 * Returns a host in the form in which hosts are compared: lower case, without the root dot and without
 * `www.`.
 */
export function bareHost(host: string): string {
  const lower = withoutRootDot(host.toLowerCase());
  return lower.startsWith('www.') && lower.length > 4 ? lower.slice(4) : lower;
}

export function withoutRootDot(host: string): string {
  return host.endsWith('.') && host.length > 1 ? host.slice(0, -1) : host;
}

/**
 * Returns the bare host of a website's domain as its owner wrote it: `Müller.de`, `www.example.com`,
 * `localhost:3000`.
 */
export function domainHost(domain: string): string {
  const host = URL.parse(domain.includes('://') ? domain : `http://${domain}`)?.hostname;
  return bareHost(host ?? domain);
}

/** Returns whether `host` is `domain` or one of its subdomains. Both must be bare hosts. */
export function isWithin(host: string, domain: string): boolean {
  if (host === domain) return true;
  return domain !== '' && host.endsWith(domain) && host.charCodeAt(host.length - domain.length - 1) === 46;
}
