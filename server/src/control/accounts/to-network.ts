import { isIPv4, isIPv6 } from 'node:net';

/** Who is behind an address: of IPv6 the first 64 bits, because one customer has all the addresses that begin with them. */
export function toNetwork(address: string): string {
  const bare = address.trim().replace(/%.*$/, '');
  if (isIPv4(bare) || !isIPv6(bare)) return bare.toLowerCase();
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

function groupsOf(address: string): number[] {
  // A URL parser knows every way to write one, and writes it in one way.
  const host = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = host.split('::');
  const read = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [read(before), read(after ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}
