import { canonicalAddress, type IpGroups, isMappedIpv4, toIpGroups } from './ip-groups.ts';

/** All addresses whose first bits are those of the groups. */
export type IpNetwork = { groups: IpGroups; bits: number };

const allBits = 128;
const mappedBits = 96;

/** Reads an address or a network such as `10.0.0.0/8`. Returns undefined for anything else. */
export function parseNetwork(entry: unknown): IpNetwork | undefined {
  if (typeof entry !== 'string') return undefined;
  const slash = entry.indexOf('/');
  const address = slash === -1 ? entry : entry.slice(0, slash);
  const groups = toIpGroups(address);
  if (groups === undefined) return undefined;
  const offset = address.includes(':') ? 0 : mappedBits;
  const size = allBits - offset;
  const prefix = slash === -1 ? `${size}` : entry.slice(slash + 1);
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > size) return undefined;
  return { groups, bits: offset + Number(prefix) };
}

export function isInNetwork(address: IpGroups, { groups, bits }: IpNetwork): boolean {
  // A wide IPv6 network such as ::/0 does not include IPv4, whose addresses are only written that way here.
  if (bits < mappedBits && isMappedIpv4(address)) return false;
  for (let index = 0; index * 16 < bits; index += 1) {
    const mask = maskOf(bits, index);
    if ((address[index]! & mask) !== (groups[index]! & mask)) return false;
  }
  return true;
}

/** Returns whether the network is one of IPv4 addresses, and how many bits all of its addresses share. */
export function sizeOfNetwork({ groups, bits }: IpNetwork): { isIpv4: boolean; bits: number } {
  const isIpv4 = bits >= mappedBits && isMappedIpv4(groups);
  return { isIpv4, bits: isIpv4 ? bits - mappedBits : bits };
}

/** Returns the one spelling of a network: its first address, and `/` with the bits unless it is one address. */
export function canonicalNetwork(network: IpNetwork): string {
  const first = network.groups.map((group, index) => group & maskOf(network.bits, index));
  const address = canonicalAddress(first.map((group) => group.toString(16)).join(':'));
  const { isIpv4, bits } = sizeOfNetwork(network);
  return bits === (isIpv4 ? allBits - mappedBits : allBits) ? address : `${address}/${bits}`;
}

/** Returns the bits of a group that belong to the network. */
function maskOf(bits: number, index: number): number {
  const inGroup = Math.min(16, Math.max(0, bits - index * 16));
  return (0xffff << (16 - inGroup)) & 0xffff;
}
