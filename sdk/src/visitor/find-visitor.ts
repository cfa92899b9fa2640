import type { IncomingRequest } from '../request/incoming-request.ts';
import { elementsFromRight, pickFromRight, readPair } from './forwarded-list.ts';
import { createPublicTest } from './networks.ts';
import type { CheckedTrust, ForwardedList } from './proxy-trust.ts';
import { readAddress, readAddressWithPort } from './read-address.ts';

export type FoundVisitor = {
  /**
   * Undefined when it cannot be known: rather no address than a forged one, or a proxy's that merges all
   * visitors.
   */
  ip: string | undefined;
  /**
   * How many of our proxies the request came through, as far as we can tell; 0: believe nothing but the
   * connection.
   */
  hops: number;
  /** Of `Forwarded`: what the outermost of them wrote. */
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
   * Nothing was forwarded though a proxy is configured. From a public address the request came around the
   * proxy, and that address is its sender. From an inner one it is the proxy itself, badly set up or checking
   * our health: counted as a visitor it would be one for all.
   */
  function publicPeer({ peer }: IncomingRequest): string | undefined {
    const ip = readAddress(peer);
    return ip !== undefined && isPublic(ip) ? ip : undefined;
  }
}

const unproxied = (ip: string | undefined): FoundVisitor => ({ ip, hops: 0, element: undefined });

/**
 * With fewer elements than hops, the leftmost: it is the truth for who came around a proxy or when `hops` is
 * too high, and gives a forger nothing, who could as well have filled the list up. Only networks stop him.
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
 * From the connection to the left as long as each is a proxy of ours; where all are, the leftmost is the
 * visitor.
 */
function findByNetworks(request: IncomingRequest, trust: CheckedTrust & { kind: 'networks' }): FoundVisitor {
  const peer = readAddress(request.peer);
  if (peer === undefined || !trust.isProxy(peer)) return unproxied(peer);
  // A proxy that forwards nothing is itself no visitor.
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
  // Of a header that came twice, the last is the one that the platform added.
  const value = pickFromRight(request.header(header), 1);
  if (value === undefined) return undefined;
  const ip = header === 'cloudfront-viewer-address' ? readAddressWithPort(value) : readAddress(value);
  return { ip, hops: 1, element: undefined };
}

function readElement(element: string, list: ForwardedList): string | undefined {
  return readAddress(list === 'forwarded' ? readPair(element, 'for') : element);
}
