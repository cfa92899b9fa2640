import { isIpAddress } from '@trackside/contract/tracking/ip-address.ts';
import { toIpGroups } from '@trackside/contract/tracking/ip-groups.ts';
import { isInNetwork, parseNetwork } from '@trackside/contract/tracking/ip-networks.ts';

const namedNetworks: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10']],
]);

export type NetworkTest = (address: string) => boolean;

/**
 * Creates a test for a list of networks. Throws on an entry that is not an address, a CIDR or a name; `where`
 * is the list's name in the message.
 */
export function createNetworkTest(list: readonly string[], where: string): NetworkTest {
  const networks = list.flatMap((entry, index) => {
    const found = namedNetworks.get(entry)?.map(parseNetwork) ?? [parseNetwork(entry)];
    return found.map((network) => network ?? refuse(`${where}[${index}]`, entry));
  });
  return (address) => {
    const groups = toIpGroups(address);
    return groups !== undefined && networks.some((network) => isInNetwork(groups, network));
  };
}

/**
 * Creates a test whether an address can belong to a visitor from the internet, and not to a proxy next to us.
 */
export function createPublicTest(): NetworkTest {
  // Providers use 100.64.0.0/10 between their own machines.
  const isInner = createNetworkTest(['loopback', 'private', '100.64.0.0/10', '0.0.0.0/8', '::'], 'inner');
  return (address) => isIpAddress(address) && !isInner(address);
}

function refuse(where: string, entry: unknown): never {
  const got = typeof entry === 'string' ? `"${entry.slice(0, 64)}"` : typeof entry;
  throw new Error(
    `${where}: expected an address or CIDR such as 10.0.0.0/8, or "loopback" or "private", got ${got}`,
  );
}
