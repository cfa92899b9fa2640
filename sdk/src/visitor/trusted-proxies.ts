import type { IncomingRequest } from '../request/incoming-request.ts';
import { createVisitorFinder, type FoundVisitor } from './find-visitor.ts';
import { pickFromRight, readPair } from './forwarded-list.ts';
import { checkTrust, type ProxyTrust } from './proxy-trust.ts';

export type { ForwardedList, ProxyTrust } from './proxy-trust.ts';

export type AddressReader = {
  /**
   * Returns the visitor's IP address, or undefined if it cannot be known. Without trust, only the peer
   * counts.
   */
  ip(request: IncomingRequest): string | undefined;
  /**
   * Returns scheme and host as the visitor sees them. Forwarded values count only if they come from a trusted
   * proxy.
   */
  origin(request: IncomingRequest): string;
};

export function createAddressReader(trust: ProxyTrust | undefined): AddressReader {
  const checked = checkTrust(trust);
  const find = createVisitorFinder(checked);
  const isForwarded = 'list' in checked && checked.list === 'forwarded';
  const readPart = (request: IncomingRequest, found: FoundVisitor, part: 'proto' | 'host') =>
    isForwarded
      ? found.element && readPair(found.element, part)
      : pickFromRight(request.header(`x-forwarded-${part}`), found.hops);

  return {
    ip: (request) => find(request).ip,
    origin(request) {
      const found = find(request);
      if (found.hops === 0) return request.url.origin;
      const proto = readPart(request, found, 'proto');
      const host = readPart(request, found, 'host');
      return makeOrigin(request.url, proto, host);
    },
  };
}

const hostText = /^(?:[a-z\d._-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

function makeOrigin(url: URL, proto: string | undefined, host: string | undefined): string {
  const scheme = /^https?$/i.test(proto ?? '') ? proto : url.protocol.slice(0, -1);
  const isHost = hostText.test(host ?? '') && URL.canParse(`${scheme}://${host}`);
  return new URL(`${scheme}://${isHost ? host : url.host}`).origin;
}
