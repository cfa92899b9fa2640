import { bareHost } from '@trackside/contract/tracking/bare-host.ts';

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
