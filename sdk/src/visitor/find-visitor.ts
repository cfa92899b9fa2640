import type { IncomingRequest } from '../request/incoming-request.ts';
import { elementsFromRight, pickFromRight, readPair } from './forwarded-list.ts';
import { createPublicTest } from './networks.ts';
import type { CheckedTrust, ForwardedList } from './proxy-trust.ts';
import { readAddress, readAddressWithPort } from './read-address.ts';

export type FoundVisitor = {
  /**
   * Undefined if it cannot be known: no address is better than a forged one, or than a proxy's, which would
   * merge all visitors.
   */
  ip: string | undefined;
  /**
   * The number of our proxies that the request came through, as far as we can tell. 0 means that only the
   * connection can be trusted.
   */
  hops: number;
  /** The element of `Forwarded` that the outermost of them wrote. */
  element: string | undefined;
};
export type VisitorFinder = (request: IncomingRequest) => FoundVisitor;

export function createVisitorFinder(trust: CheckedTrust): VisitorFinder {
  const isPublic = createPublicTest();
  switch (trust.kind) {
    case 'nothing':
      return ({ peer }) => unproxied(readAddress(peer));
    case 'hops':
      return (request) => findByHops(request, trust) ?? unproxied(publicPeer(request));
    case 'networks':
      return (request) => findByNetworks(request, trust);
    case 'header':
      return (request) => findByHeader(request, trust) ?? unproxied(publicPeer(request));
  }

  /**
   * Returns the peer if nothing was forwarded although a proxy is configured. If the peer is public, the
   * request bypassed the proxy, and the peer is its sender. If it is internal, it is the proxy itself, which
   * is misconfigured or runs a health check; counting it would merge all visitors into one.
   */
  function publicPeer({ peer }: IncomingRequest): string | undefined {
    const ip = readAddress(peer);
    return ip !== undefined && isPublic(ip) ? ip : undefined;
  }
}

const unproxied = (ip: string | undefined): FoundVisitor => ({ ip, hops: 0, element: undefined });

/**
 * Finds the visitor by the number of hops. With fewer elements than hops, it takes the leftmost: that is
 * right if the request bypassed a proxy or if `hops` is too high. It helps no forger, who could just as well
 * have filled up the list. Only networks stop that.
 */
function findByHops(
  request: IncomingRequest,
  trust: CheckedTrust & { kind: 'hops' },
): FoundVisitor | undefined {
  let found: FoundVisitor | undefined;
  for (const element of elementsFromRight(request.header(trust.list))) {
    const hops = (found?.hops ?? 0) + 1;
    found = { ip: undefined, hops, element };
    if (hops === trust.hops) break;
  }
  return found && { ...found, ip: readElement(found.element!, trust.list) };
}

/**
 * Finds the visitor by going left from the connection as long as each address is one of our proxies. If all
 * are, the leftmost is the visitor.
 */
function findByNetworks(request: IncomingRequest, trust: CheckedTrust & { kind: 'networks' }): FoundVisitor {
  const peer = readAddress(request.peer);
  if (peer === undefined || !trust.isProxy(peer)) return unproxied(peer);
  // A proxy that forwards nothing is not a visitor itself.
  let found: FoundVisitor = { ip: undefined, hops: 1, element: undefined };
  let hops = 0;
  for (const element of elementsFromRight(request.header(trust.list))) {
    hops += 1;
    const ip = readElement(element, trust.list);
    found = { ip, hops, element };
    if (ip === undefined || !trust.isProxy(ip)) break;
  }
  return found;
}

function findByHeader(
  request: IncomingRequest,
  { header, isProxy }: CheckedTrust & { kind: 'header' },
): FoundVisitor | undefined {
  const peer = readAddress(request.peer);
  if (isProxy !== undefined && (peer === undefined || !isProxy(peer))) return unproxied(peer);
  // If the header came twice, the platform added the last one.
  const value = pickFromRight(request.header(header), 1);
  if (value === undefined) return undefined;
  const ip = header === 'cloudfront-viewer-address' ? readAddressWithPort(value) : readAddress(value);
  return { ip, hops: 1, element: undefined };
}

function readElement(element: string, list: ForwardedList): string | undefined {
  return readAddress(list === 'forwarded' ? readPair(element, 'for') : element);
}
