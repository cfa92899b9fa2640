import { bareHost } from '../tracking/bare-host.ts';
import { canonicalNetwork, parseNetwork, sizeOfNetwork } from '../tracking/ip-networks.ts';
import type { Exclusion, ExclusionKind } from './exclusion-kinds.ts';

/** What the value of a rule has to be, in words. */
export const exclusionValues: Readonly<Record<ExclusionKind, string>> = {
  network:
    'an IP address or a network such as 203.0.113.0/24 or 2001:db8::/32, of at least 8 bits (IPv6: 16)',
  host: 'a host name such as staging.example.com or *.example.com, without scheme, port and path',
  path: 'a path that begins with /, such as /admin or /admin/*, without query and fragment',
  query: 'the name of a query parameter, such as preview',
  event: 'the name of an event, or the start of one with * at its end',
  'user-agent': 'a part of a user agent of at least 3 characters, such as HeadlessChrome',
  'own-host': 'a host name such as example.com or *.example.com, without scheme, port and path',
};

export const maxExclusionLength = 256;
/** A shorter part would be in nearly every user agent. */
const fewestAgentCharacters = 3;
/** A wider network is more likely a slip than somebody's own. */
const fewestBits = { ipv4: 8, ipv6: 16 };

/** Returns the one spelling of a rule's value, or undefined if it isn't one. */
export function readExclusionValue({ kind, value }: Exclusion): string | undefined {
  const text = value.trim();
  if (text === '' || text.length > maxExclusionLength || /\p{Cc}/u.test(text)) return undefined;
  if (kind === 'network') return readNetwork(text);
  if (kind === 'host' || kind === 'own-host') return readHost(text);
  if (kind === 'path') return text.startsWith('/') && !/[?#]/.test(text) ? text : undefined;
  if (kind === 'query') return /[\s&=?#*]/.test(text) ? undefined : text;
  if (kind === 'user-agent') return text.length < fewestAgentCharacters ? undefined : text;
  return text;
}

function readNetwork(text: string): string | undefined {
  const network = parseNetwork(text);
  if (network === undefined) return undefined;
  const { isIpv4, bits } = sizeOfNetwork(network);
  return bits < (isIpv4 ? fewestBits.ipv4 : fewestBits.ipv6) ? undefined : canonicalNetwork(network);
}

/** The host in the form that records have it: in lowercase and ASCII, without the root dot and `www.` */
function readHost(text: string): string | undefined {
  const isWide = text.startsWith('*.');
  const name = isWide ? text.slice(2) : text;
  // A URL parser would cut these off or decode them.
  if (name === '' || /[\s/\\?#@%*]/.test(name) || /:\d*$/.test(name.replace(/^\[.*\]$/, '')))
    return undefined;
  let host: string;
  try {
    host = new URL(`http://${name}`).hostname;
  } catch {
    return undefined;
  }
  // To a URL parser, `7` and `0x7f.1` are addresses. When written like that, they are mistakes.
  if (/^[\d.]+$/.test(host) && host !== name) return undefined;
  return `${isWide ? '*.' : ''}${bareHost(host)}`;
}
