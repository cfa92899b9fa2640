import { isIpAddress } from '@trackside/contract/tracking/ip-address.ts';
import { canonicalAddress } from '@trackside/contract/tracking/ip-groups.ts';

// An IPv6 address with brackets, zone and port is far shorter. Longer texts are ignored.
const longestText = 128;

/**
 * Reads an address as proxies write it: with a port, brackets, quotes or a zone. Returns undefined for
 * `unknown`, for the obfuscated names of RFC 7239 and for anything else. Each address has one spelling, and
 * mapped IPv4 becomes IPv4.
 */
export function readAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > longestText) return undefined;
  const bare = withoutZone(withoutPort(withoutQuotes(text.trim()).trim()));
  return isIpAddress(bare) ? canonicalAddress(bare) : undefined;
}

/**
 * Reads an address with its port. CloudFront writes `2001:db8::1:443` without brackets, so only this rule
 * finds the port.
 */
export function readAddressWithPort(text: string | undefined): string | undefined {
  const colon = text?.lastIndexOf(':') ?? -1;
  return colon === -1 || text!.includes(']') ? readAddress(text) : readAddress(text!.slice(0, colon));
}

function withoutQuotes(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function withoutPort(text: string): string {
  if (text.startsWith('[')) {
    const end = text.indexOf(']');
    const after = text.slice(end + 1);
    return end !== -1 && (after === '' || after.startsWith(':')) ? text.slice(1, end) : '';
  }
  const colon = text.indexOf(':');
  return colon !== -1 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text;
}

function withoutZone(text: string): string {
  const percent = text.indexOf('%');
  return percent === -1 || !text.includes(':') ? text : text.slice(0, percent);
}
