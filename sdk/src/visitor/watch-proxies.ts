import type { IncomingRequest } from '../request/incoming-request.ts';
import { createVisitorFinder } from './find-visitor.ts';
import { elementsFromRight } from './forwarded-list.ts';
import { createPublicTest } from './networks.ts';
import { checkTrust, type ProxyTrust } from './proxy-trust.ts';
import { readAddress } from './read-address.ts';

/**
 * Headers with one address that platforms set and overwrite themselves. Fastly's is left out, because a
 * client can send it.
 */
const platformHeaders = [
  'cf-connecting-ip',
  'fly-client-ip',
  'x-vercel-forwarded-for',
  'x-nf-client-connection-ip',
] as const;
const listHeaders = ['x-forwarded-for', 'forwarded'] as const;

/**
 * Creates a function that looks for signs of wrong or missing `proxies`, which would merge or lose visitors,
 * and reports each sign once. The text is for people and changes nothing.
 */
export function createProxyWatch(
  trust: ProxyTrust | undefined,
): (request: IncomingRequest) => string | undefined {
  const checked = checkTrust(trust);
  const find = createVisitorFinder(checked);
  const isPublic = createPublicTest();
  const said = new Set<Sign>();

  return (request) => {
    const found = notice(request);
    if (found === undefined || said.has(found.sign)) return undefined;
    said.add(found.sign);
    return found.message;
  };

  function notice(request: IncomingRequest): Notice | undefined {
    const peer = readAddress(request.peer);
    const { ip, hops } = find(request);
    if (ip === undefined) return noticeLost(request, peer);
    if (isPublic(ip)) return checked.kind === 'header' ? undefined : noticePlatform(request, ip);
    if (hops === 0) return noticeMerged(request, ip);
    const isLonger = checked.kind === 'hops' && countElements(request.header(checked.list)) > hops;
    if (!isLonger) return undefined;
    return {
      sign: 'hops-too-low',
      message:
        `proxies.hops is ${hops}, which gives ${ip}, an internal address, although the list goes on: ` +
        'is there one more proxy? All visitors behind it are counted as one. ' +
        `Try { hops: ${hops + 1} }.`,
    };
  }

  /** Notices a proxy that is not trusted: an internal peer that sends a forwarding header. */
  function noticeMerged(request: IncomingRequest, ip: string): Notice | undefined {
    const platform = findHeader(request, platformHeaders);
    const header = findHeader(request, listHeaders) ?? platform;
    if (header === undefined) return undefined;
    const others = platform === undefined ? '' : `, or ${proposal(platform)} if that platform comes first`;
    const remedy =
      checked.kind === 'nothing'
        ? `set proxies, for example { networks: ['${ip}'] } or ${proposal(header)}${others}`
        : `add ${ip} to proxies.networks if it is your proxy`;
    return {
      sign: 'merged',
      message:
        `Requests come from ${ip} with ${header}, so there is a proxy in front, ` +
        `and all visitors are counted as ${ip}: ${remedy}.`,
    };
  }

  /**
   * Notices a platform's header. Anyone can send these headers, so they are a reason to ask, not to trust.
   */
  function noticePlatform(request: IncomingRequest, ip: string): Notice | undefined {
    const header = findHeader(request, platformHeaders);
    if (header === undefined || readAddress(request.header(header)) === ip) return undefined;
    return {
      sign: 'platform',
      message:
        `A request came with ${header}, which is not read. ` +
        'If that platform is in front of your backend, ' +
        `all visitors are counted by its few addresses: set proxies to ${proposal(header)}.`,
    };
  }

  function noticeLost(request: IncomingRequest, peer: string | undefined): Notice {
    if (checked.kind === 'nothing' || (checked.kind === 'networks' && peer === undefined)) {
      const header = findHeader(request, platformHeaders) ?? findHeader(request, listHeaders);
      return {
        sign: 'no-peer',
        message:
          'The address of the connection is unknown here (an edge runtime or a Unix socket), ' +
          `so visitors cannot be counted: set proxies, for example ${proposal(header)}.`,
      };
    }
    const header = checked.kind === 'header' ? checked.header : checked.list;
    const came = request.header(header)?.trim() ? 'whose address cannot be read' : 'that is missing';
    return {
      sign: 'lost',
      message:
        `proxies expects ${header}, ${came} in a request from ${peer ?? 'an unknown address'}, ` +
        'so its visitor is not counted: have the proxy set the header, or correct proxies. ' +
        "A health check or a request on the developer's own machine may be the reason.",
    };
  }
}

type Sign = 'merged' | 'platform' | 'no-peer' | 'lost' | 'hops-too-low';
type Notice = { sign: Sign; message: string };

function findHeader<Name extends string>(request: IncomingRequest, names: readonly Name[]): Name | undefined {
  return names.find((name) => request.header(name) !== undefined);
}

function proposal(header: string | undefined): string {
  if (header === 'forwarded') return "{ hops: 1, list: 'forwarded' }";
  return header === undefined || header === 'x-forwarded-for' ? '{ hops: 1 }' : `{ header: '${header}' }`;
}

function countElements(value: string | undefined): number {
  let count = 0;
  for (const _ of elementsFromRight(value)) count += 1;
  return count;
}
