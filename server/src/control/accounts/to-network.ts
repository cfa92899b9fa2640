import { isMappedIpv4, toIpGroups, toIpv4Text } from '@trackside/contract/tracking/ip-groups.ts';

/**
 * Identifies who is behind an address. For IPv6 these are the first 64 bits, because one customer has all
 * addresses that begin with them.
 */
export function toNetwork(address: string): string {
  const bare = address.trim().replace(/%.*$/, '');
  const groups = toIpGroups(bare);
  if (groups === undefined) return bare.toLowerCase();
  if (isMappedIpv4(groups)) return toIpv4Text(groups);
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
