import { isIpAddress } from './ip-address.ts';

/**
 * The eight groups of 16 bits of an address. IPv4 is ::ffff:a.b.c.d here, because some peers are written that
 * way.
 */
export type IpGroups = readonly number[];

const groupCount = 8;
const mappedPrefix: IpGroups = [0, 0, 0, 0, 0, 0xffff];

/** Returns the groups of an address, or undefined for anything else. */
export function toIpGroups(address: string): IpGroups | undefined {
  if (!isIpAddress(address)) return undefined;
  if (!address.includes(':')) return [...mappedPrefix, ...readStretch(address)];
  const [before = '', after] = address.split('::');
  const head = readStretch(before);
  if (after === undefined) return head;
  const tail = readStretch(after);
  return [...head, ...new Array<number>(groupCount - head.length - tail.length).fill(0), ...tail];
}

/** Returns whether these are the groups of an IPv4 address, however it was written. */
export function isMappedIpv4(groups: IpGroups): boolean {
  return mappedPrefix.every((group, index) => groups[index] === group);
}

/** Returns the IPv4 address in the last two groups. */
export function toIpv4Text(groups: IpGroups): string {
  return groups
    .slice(-2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

const mappedText = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * Returns the one spelling of an address. An IPv4 address that is written as IPv6 becomes IPv4. The input
 * must be an address.
 */
export function canonicalAddress(address: string): string {
  if (!address.includes(':')) return address;
  // A URL parser knows all spellings of an address, and always writes the same one.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const mapped = mappedText.exec(canonical);
  if (mapped === null) return canonical;
  return toIpv4Text([Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)]);
}

/** Returns the groups on one side of `::`, where an IPv4 address is two groups. */
function readStretch(stretch: string): number[] {
  if (stretch === '') return [];
  return stretch.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number];
    return [a * 256 + b, c * 256 + d];
  });
}
