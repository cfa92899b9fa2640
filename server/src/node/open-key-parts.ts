import { networkInterfaces } from 'node:os';
import { keepKeyHolders } from '../http/keys/keep-key-holders.ts';
import { openKeyDesk } from '../http/keys/open-key-desk.ts';
import type { StoreWaits } from '../intake/store-waits.ts';
import { describeKeyHolders, describeUnreachable } from './cluster/describe-key-holders.ts';
import type { NodeOptions } from './node-options.ts';
import type { JournalParts, Opened } from './open-journal-parts.ts';

const anyHost = ['0.0.0.0', '::'];

/**
 * Opens what nodes need in order to recognize each other's records when they are sent again. Undefined if no
 * other node loads into the same store.
 */
export async function openKeyParts(
  options: Pick<NodeOptions, 'control' | 'outsideStore' | 'host' | 'nodeAddress' | 'clock' | 'log'>,
  parts: Pick<JournalParts, 'ledger' | 'idempotencyIndex'> & { storeWaits: StoreWaits | undefined },
  opened: Opened,
) {
  const { control, nodeAddress } = options;
  if (!control.isShared || options.outsideStore === undefined) return undefined;
  const log = options.log.child({ part: 'nodes' });
  const name = parts.ledger.node;
  const secret = control.nodeSecret;
  const desk = await openKeyDesk({
    name,
    secret,
    // The given address may be that of a gateway in front of this machine.
    host: nodeAddress === undefined ? options.host : anyHost[0]!,
    port: nodeAddress?.port ?? 0,
    idempotencyIndex: parts.idempotencyIndex,
    storeWaits: parts.storeWaits,
    log,
  });
  opened.push(() => desk.close());
  const host = nodeAddress?.host ?? (anyHost.includes(options.host) ? findOwnAddress() : options.host);
  const address = `${host.includes(':') ? `[${host}]` : host}:${desk.port}`;
  const self = { name, address };
  let unreachable: string | undefined;
  const holders = keepKeyHolders({
    self,
    secret,
    holders: control.keyHolders,
    onOthers(others) {
      const told = describeUnreachable(self, others);
      if (told !== undefined && told !== unreachable) log.warn(told);
      unreachable = told;
    },
    clock: options.clock,
    log,
  });
  opened.push(() => holders.stop());
  return {
    ask: holders.ask,
    introduce: holders.introduce,
    others: holders.others,
    degraded: () => describeKeyHolders(self, holders.others()),
    /** Leaves these keys to the other nodes. Without them, the others refuse what this node may have taken. */
    async close(hashes: Buffer | undefined): Promise<void> {
      const why = 'other nodes refuse repeats until this one is back';
      if (hashes === undefined) log.warn(`not everything is in the store: ${why}`);
      else
        await holders
          .leave(hashes)
          .catch((error: unknown) =>
            log.warn({ err: error }, `the keys cannot be left in PostgreSQL: ${why}`),
          );
      await holders.stop();
      await desk.close();
    },
  };
}

/** The first address of this machine at which others may reach it. */
function findOwnAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = all.find(({ internal, family }) => !internal && family === 'IPv4');
  return found?.address ?? '127.0.0.1';
}
