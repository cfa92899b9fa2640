import type { KeyHolder } from '../../control/nodes/key-holders.ts';
import type { KnownHolder } from '../../http/keys/keep-key-holders.ts';
import type { Degraded } from '../../http/server/health.ts';

/** Says which nodes can't be asked about repeats, and whether this one can't. */
export function describeKeyHolders(self: KeyHolder, others: readonly KnownHolder[]): Degraded[] {
  const unreachable = describeUnreachable(self, others);
  const silent = others.filter(({ isSilent }) => isSilent).map(describeSilent(self));
  return [...(unreachable === undefined ? [] : [unreachable]), ...silent].map((why) => ({
    part: 'nodes',
    why,
  }));
}

/** Others would look for this node on their own machines. Undefined if they are on this one, too. */
export function describeUnreachable(self: KeyHolder, others: readonly KeyHolder[]): string | undefined {
  if (!isOnlyLocal(self) || others.every(isOnlyLocal)) return undefined;
  return (
    `other nodes cannot reach this one at ${self.address} to ask about repeats, so they refuse them: set ` +
    'TRACKSIDE_NODE_ADDRESS to an address and a port that they can reach, such as 10.0.0.5:8081'
  );
}

const describeSilent =
  (self: KeyHolder) =>
  (other: KnownHolder): string => {
    const { name, address } = other;
    const todo =
      isOnlyLocal(other) && !isOnlyLocal(self)
        ? 'set its TRACKSIDE_NODE_ADDRESS to an address and a port that other nodes can reach'
        : 'start it, or let its port through the firewall';
    return (
      `node ${name} does not answer at ${address}, so records that it may have, which is all with an ` +
      `Idempotency-Key but without Trackside-Attempt: 1, are refused: ${todo}; if it is gone for good, ` +
      `run \`trackside node retire ${name}\``
    );
  };

function isOnlyLocal({ address }: KeyHolder): boolean {
  return /^(127\.|\[::1\]|localhost:)/.test(address);
}
