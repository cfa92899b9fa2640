import { toIpGroups } from '@trackside/contract/tracking/ip-groups.ts';

/**
 * A small database file in MaxMind's format, version 2: a tree of address bits, the records, and the
 * metadata.
 */
export type TestMmdb = {
  ipVersion: 4 | 6;
  recordSize: 24 | 28;
  databaseType: string;
  /** By network: '203.0.113.0/24' or '2001:db8::/32'. */
  records: Record<string, MmdbValue>;
};
export type MmdbValue = string | number | boolean | MmdbValue[] | { [name: string]: MmdbValue };

type Node = { children: [Node | undefined, Node | undefined]; dataAt?: number; number?: number };

const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const separator = Buffer.alloc(16);

export function makeMmdb({ ipVersion, recordSize, databaseType, records }: TestMmdb): Buffer {
  const root: Node = { children: [undefined, undefined] };
  const data: Buffer[] = [];
  let dataLength = 0;
  for (const [network, value] of Object.entries(records)) {
    const encoded = encode(value);
    insert(root, bitsOf(network, ipVersion), dataLength);
    data.push(encoded);
    dataLength += encoded.length;
  }
  const nodes = numberNodes(root);
  const tree = nodes.map((node) =>
    encodeNode(node.children.map((child) => pointTo(child, nodes.length)) as [number, number], recordSize),
  );
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: databaseType,
    description: { en: 'Made for a test' },
    ip_version: ipVersion,
    languages: ['en', 'de'],
    node_count: nodes.length,
    record_size: recordSize,
  });
  return Buffer.concat([...tree, separator, ...data, marker, metadata]);
}

/**
 * Returns the path to a network, one bit at a time. IPv4 in an IPv6 tree begins with 96 zeros, not with
 * ::ffff.
 */
function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address = '', prefix] = network.split('/');
  const isIpv6 = address.includes(':');
  const all = toIpGroups(address)!.flatMap((group) => [...group.toString(2).padStart(16, '0')].map(Number));
  const bits = (isIpv6 ? all : all.slice(96)).slice(0, Number(prefix));
  return !isIpv6 && ipVersion === 6 ? [...new Array<number>(96).fill(0), ...bits] : bits;
}

function insert(root: Node, bits: readonly number[], dataAt: number): void {
  let node = root;
  for (const bit of bits) {
    node.children[bit] ??= { children: [undefined, undefined] };
    node = node.children[bit]!;
  }
  node.dataAt = dataAt;
}

/**
 * Numbers the nodes. Only a node with children is in the file; a leaf is a number that points into the data.
 */
function numberNodes(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) {
    node.number = nodes.indexOf(node);
    nodes.push(
      ...node.children.filter((child) => child !== undefined && child.dataAt === undefined).map((c) => c!),
    );
  }
  return nodes;
}

function pointTo(child: Node | undefined, nodeCount: number): number {
  if (child === undefined) return nodeCount;
  return child.dataAt === undefined ? child.number! : nodeCount + separator.length + child.dataAt;
}

function encodeNode([left, right]: [number, number], recordSize: 24 | 28): Buffer {
  const node = Buffer.alloc(recordSize / 4);
  node.writeUIntBE(left & 0xffffff, 0, 3);
  if (recordSize === 28) node[3] = ((left >> 24) << 4) | (right >> 24);
  node.writeUIntBE(right & 0xffffff, node.length - 3, 3);
  return node;
}

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') return withHead(2, Buffer.byteLength(value), Buffer.from(value));
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0, 14 - 7]);
  if (typeof value === 'number')
    return withHead(6, 4, Buffer.from([24, 16, 8, 0].map((shift) => value >> shift)));
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 11 - 7]), ...value.map(encode)]);
  const entries = Object.entries(value);
  return withHead(7, entries.length, ...entries.flat().map(encode));
}

/** Writes the type in three bits and the size in the other five, or from 29 on in another byte. */
function withHead(type: number, size: number, ...content: Buffer[]): Buffer {
  const head = size < 29 ? [(type << 5) | size] : [(type << 5) | 29, size - 29];
  return Buffer.concat([Buffer.from(head), ...content]);
}
