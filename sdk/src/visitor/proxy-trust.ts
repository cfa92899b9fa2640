import { createNetworkTest, type NetworkTest } from './networks.ts';

/**
 * The header that our proxies append to. Only one is read, because a client can put anything into the other
 * one.
 */
export type ForwardedList = 'x-forwarded-for' | 'forwarded';

/** Which machines in front of the backend may say where a request comes from. */
export type ProxyTrust =
  /** This many of our proxies append to the list, and nobody can bypass them. */
  | { hops: number; list?: ForwardedList }
  /** Addresses and CIDRs of our proxies; also 'loopback' and 'private'. The safest of the three. */
  | { networks: readonly string[]; list?: ForwardedList }
  /**
   * One header that the platform sets and overwrites, such as 'cf-connecting-ip'. With networks, it is only
   * read from there.
   */
  | { header: string; networks?: readonly string[] };

export type CheckedTrust =
  | { kind: 'nothing' }
  | { kind: 'hops'; hops: number; list: ForwardedList }
  | { kind: 'networks'; isProxy: NetworkTest; list: ForwardedList }
  | { kind: 'header'; header: string; isProxy: NetworkTest | undefined };

const maxHops = 32;
const lists: ReadonlySet<unknown> = new Set(['x-forwarded-for', 'forwarded']);

/**
 * Checks the configuration. Throws if it is wrong, because a configuration that is only half understood would
 * count the wrong address for months.
 */
export function checkTrust(trust: ProxyTrust | undefined): CheckedTrust {
  if (trust === undefined) return { kind: 'nothing' };
  if (typeof trust !== 'object' || trust === null) {
    throw new Error(`proxies: expected { hops }, { networks } or { header }, got ${typeof trust}`);
  }
  const { hops, networks, header, list }: AllSettings = trust;
  if (header !== undefined) {
    if (hops !== undefined) throw new Error('proxies: expected either header or hops, got both');
    if (list !== undefined) throw new Error('proxies.list: expected only with hops or networks, got header');
    return {
      kind: 'header',
      header: checkHeader(header),
      isProxy: networks === undefined ? undefined : checkNetworks(networks),
    };
  }
  if (hops !== undefined) {
    if (networks !== undefined) throw new Error('proxies: expected either hops or networks, got both');
    return { kind: 'hops', hops: checkHops(hops), list: checkList(list) };
  }
  if (networks === undefined) throw new Error('proxies: expected hops, networks or header, got none of them');
  return { kind: 'networks', isProxy: checkNetworks(networks), list: checkList(list) };
}

/** The settings as they may come from JavaScript or from a file. */
type AllSettings = { hops?: unknown; networks?: unknown; header?: unknown; list?: unknown };

function checkHops(hops: unknown): number {
  if (Number.isInteger(hops) && (hops as number) >= 1 && (hops as number) <= maxHops) return hops as number;
  throw new Error(
    `proxies.hops: expected a whole number from 1 to ${maxHops}, got ${describe(hops)}; ` +
      'leave proxies out if there are none',
  );
}

function checkNetworks(networks: unknown): NetworkTest {
  if (!Array.isArray(networks) || networks.length === 0) {
    throw new Error(
      `proxies.networks: expected a list such as ['loopback', '10.0.0.0/8'], got ${describe(networks)}`,
    );
  }
  return createNetworkTest(networks, 'proxies.networks');
}

function checkHeader(header: unknown): string {
  if (typeof header !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(header)) {
    throw new Error(
      `proxies.header: expected a header name such as cf-connecting-ip, got ${describe(header)}`,
    );
  }
  const name = header.toLowerCase();
  // The right end of a list is what the nearest proxy wrote, and only hops or networks say how many proxies
  // there are.
  if (lists.has(name)) {
    throw new Error(
      `proxies.header: expected a header of one address, got "${name}", which is a list: ` +
        `use { hops: 1, list: '${name}' }`,
    );
  }
  return name;
}

function checkList(list: unknown): ForwardedList {
  if (list === undefined) return 'x-forwarded-for';
  if (lists.has(list)) return list as ForwardedList;
  throw new Error(`proxies.list: expected 'x-forwarded-for' or 'forwarded', got ${describe(list)}`);
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 64)}"`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'number' || value === null ? String(value) : typeof value;
}
