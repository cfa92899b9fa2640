import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { isIpAddress } from '@trackside/contract/tracking/field-rules.ts';
import { canonicalAddress } from '@trackside/contract/tracking/ip-groups.ts';

/**
 * Where a request came from. Behind proxies that are trusted, the address that the outermost of them saw.
 * Behind one in the same network that nobody told us about, it cannot be known: the proxy's own would be the
 * same for everybody, and what the header says may be made up.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0)
    return isBehindUnknownProxy({ headers, socket }) ? undefined : known(socket.remoteAddress);
  // Each proxy adds the address that it saw at the right end.
  return known(headers['x-forwarded-for']?.toString().split(',').at(-trustedProxies)?.trim());
}

/** Whether a proxy in the same network sent this for somebody. From afar, such headers may be made up. */
export function isBehindUnknownProxy({
  headers,
  socket,
}: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if ((headers['x-forwarded-for'] ?? headers.forwarded) === undefined) return false;
  const peer = known(socket.remoteAddress);
  return peer !== undefined && isNear(peer);
}

function known(address: string | undefined): string | undefined {
  // A peer in the same network is written with its zone, such as fe80::1%eth0.
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

/** This machine, or a private network. */
function isNear(address: string): boolean {
  return near.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}
