import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { isIpAddress } from '@trackside/contract/tracking/ip-address.ts';
import { canonicalAddress } from '@trackside/contract/tracking/ip-groups.ts';

/**
 * Returns the address that a request came from. Behind trusted proxies, that is the address that the
 * outermost of them saw. Behind an unknown proxy in the same network, the address cannot be known: the
 * proxy's own address would be the same for everyone, and the header may be forged.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0)
    return isBehindUnknownProxy({ headers, socket }) ? undefined : known(socket.remoteAddress);
  // Each proxy appends the address that it saw.
  return known(headers['x-forwarded-for']?.toString().split(',').at(-trustedProxies)?.trim());
}

/**
 * Returns whether a proxy in the same network forwarded this request. Such headers from farther away may be
 * forged.
 */
export function isBehindUnknownProxy({
  headers,
  socket,
}: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if ((headers['x-forwarded-for'] ?? headers.forwarded) === undefined) return false;
  const peer = known(socket.remoteAddress);
  return peer !== undefined && isNear(peer);
}

function known(address: string | undefined): string | undefined {
  // A link-local address comes with its zone, such as fe80::1%eth0.
  const bare = address?.replace(/%.*$/, '');
  return bare !== undefined && isIpAddress(bare) ? canonicalAddress(bare) : undefined;
}

const near = new BlockList();
near.addSubnet('127.0.0.0', 8, 'ipv4');
near.addSubnet('10.0.0.0', 8, 'ipv4');
near.addSubnet('172.16.0.0', 12, 'ipv4');
near.addSubnet('192.168.0.0', 16, 'ipv4');
near.addSubnet('fc00::', 7, 'ipv6');
near.addSubnet('fe80::', 10, 'ipv6');
near.addAddress('::1', 'ipv6');

/** Returns whether the address is this machine or in a private network. */
function isNear(address: string): boolean {
  return near.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}
