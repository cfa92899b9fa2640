import type { KeyHolders, SeenHolder } from '../../control/nodes/key-holders.ts';
import type { Claim, ClaimAnswer } from '../../intake/idempotency/idempotency-index.ts';
import { hashBytes, KeyTable } from '../../intake/idempotency/key-table.ts';
import type { Log } from '../../log.ts';

/** A table for each part: to fill one takes some milliseconds, in which nothing is answered. */
type Left = { leftAt: number; tables: KeyTable[] };

/** Knows the keys of nodes that were stopped, and answers in their place. */
export function keepLeftKeys(parts: { holders: Pick<KeyHolders, 'leftKeys' | 'forgetOld'>; log: Log }) {
  const { holders, log } = parts;
  const byName = new Map<string, Left>();
  let following: Promise<void> | undefined;
  let isFailing = false;

  async function followOnce(others: readonly SeenHolder[]): Promise<void> {
    const times = new Map(others.map(({ name, leftAt }) => [name, leftAt]));
    for (const [name, { leftAt }] of byName) {
      if (times.get(name) === leftAt) continue;
      byName.delete(name);
      if (!times.has(name)) await holders.forgetOld();
    }
    for (const { name, leftAt } of others) {
      if (leftAt === null || byName.has(name)) continue;
      const tables = await read(name, leftAt);
      if (tables !== undefined) byName.set(name, { leftAt, tables });
    }
  }

  async function read(name: string, leftAt: number): Promise<KeyTable[] | undefined> {
    const tables: KeyTable[] = [];
    for (;;) {
      const hashes = await holders.leftKeys(name, leftAt, tables.length);
      if (hashes === undefined) return undefined;
      if (hashes.length === 0) return tables;
      tables.push(tableOf(hashes));
    }
  }

  return {
    /** Reads what stopped nodes have left, and forgets nodes that are back or gone. Never rejects. */
    follow(others: readonly SeenHolder[]): Promise<void> {
      following ??= followOnce(others)
        .then(() => {
          isFailing = false;
        })
        .catch((error: unknown) => {
          if (!isFailing) log.warn({ err: error }, 'the keys of a stopped node cannot be read');
          isFailing = true;
        })
        .finally(() => {
          following = undefined;
        });
      return following;
    },
    /** Undefined if the node has to be asked, because it has left nothing, or nothing that was read yet. */
    answer({ name, leftAt }: SeenHolder, { hash }: Claim): ClaimAnswer | undefined {
      const left = byName.get(name);
      if (left === undefined || left.leftAt !== leftAt) return undefined;
      // Bodies are unknown, as after a restart.
      return left.tables.some((table) => table.find(hash) !== undefined) ? 'taken' : 'free';
    },
  };
}

function tableOf(bytes: Uint8Array): KeyTable {
  const hashes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = hashes.length / hashBytes;
  const table = new KeyTable({ firstSecond: 0, maxKeys: count, expectedKeys: count });
  for (let at = 0; at < hashes.length; at += hashBytes)
    table.set(hashes.subarray(at, at + hashBytes), { second: 0, bodyCrc: 0 });
  return table;
}
