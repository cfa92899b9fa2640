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
