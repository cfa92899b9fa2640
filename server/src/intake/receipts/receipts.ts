import assert from 'node:assert';
import { hash } from 'node:crypto';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';

/** When a node received a record, and its place among those of the same millisecond. */
export type Received = { receivedAtMs: number; order: number };

/** A record, as its receipt names it. No two records have the same. */
export type ReceivedRecord = Received & { node: string };

type CheckKey = { first: number; second: number };

const radix = 36;
const nodeName = /^n([0-9a-f]{10})$/;
/** The lengths of the parts in this order. What follows is the place in the millisecond. */
const lengths = { node: 8, ms: 8, check: 8 };
const shape = /^[0-9a-z]{26,28}$/;
const maxOrder = 65_535;

/**
 * Writes and reads receipts: the node, the time and the place in it, which no two records share, with a check
 * under the website's secret. By the check, a receipt of another website is none of this one. It is no
 * signature: whoever could forge one has the API key already, and learns nothing.
 */
export function createReceipts() {
  const keys = new WeakMap<CachedWebsite, CheckKey>();
  // Converting a number takes longer than everything else here, so there is a text for every two digits.
  const pairs = Array.from({ length: radix ** 2 }, (_, number) => pad(number, 2));
  const spellOrder = (order: number) => pairs[order] ?? order.toString(radix);
  const spellCheck = (check: number) =>
    pairs[Math.floor(check / radix ** 6)]! +
    pairs[Math.floor(check / radix ** 4) % radix ** 2]! +
    pairs[Math.floor(check / radix ** 2) % radix ** 2]! +
    pairs[check % radix ** 2]!;

  const keyOf = (website: CachedWebsite): CheckKey => {
    let key = keys.get(website);
    if (key === undefined) {
      const bytes = hash('sha256', `${website.clientIdKey}receipt\0${website.id}`, 'buffer');
      key = { first: bytes.readInt32LE(0), second: bytes.readInt32LE(4) };
      keys.set(website, key);
    }
    return key;
  };

  return {
    /** Returns the writer of a node. It runs for each record, so it makes nothing but the text. */
    writerOf(node: string): (website: CachedWebsite, received: Received) => string {
      const digits = nodeName.exec(node)?.[1];
      assert(digits !== undefined, 'The name of a node must fit into a receipt.');
      const number = Number.parseInt(digits, 16);
      const nodeText = pad(number, lengths.node);
      let lastMs = 0;
      let start = '';
      return (website, { receivedAtMs, order }) => {
        if (receivedAtMs !== lastMs) {
          lastMs = receivedAtMs;
          start = nodeText + pad(receivedAtMs, lengths.ms);
        }
        return start + spellCheck(checkOf(keyOf(website), number, receivedAtMs, order)) + spellOrder(order);
      };
    },
    /** Returns what a receipt of this website names, or undefined for any other text. */
    read(website: CachedWebsite, receipt: string): ReceivedRecord | undefined {
      if (!shape.test(receipt)) return undefined;
      const msStart = lengths.node;
      const checkStart = msStart + lengths.ms;
      const orderStart = checkStart + lengths.check;
      const read = (from: number, to?: number) => Number.parseInt(receipt.slice(from, to), radix);
      const number = read(0, msStart);
      const receivedAtMs = read(msStart, checkStart);
      const order = read(orderStart);
      if (order > maxOrder || number >= 2 ** 40) return undefined;
      if (read(checkStart, orderStart) !== checkOf(keyOf(website), number, receivedAtMs, order))
        return undefined;
      return { node: `n${number.toString(16).padStart(10, '0')}`, receivedAtMs, order };
    },
  };
}

function pad(number: number, length: number): string {
  return number.toString(radix).padStart(length, '0');
}

/** 32 bits that change with every part. */
function checkOf({ first, second }: CheckKey, node: number, ms: number, order: number): number {
  let mixed = mix(first, node >>> 0);
  mixed = mix(mixed, node / 2 ** 32);
  mixed = mix(mixed ^ second, ms >>> 0);
  mixed = mix(mixed, ms / 2 ** 32);
  mixed = mix(mixed ^ first, order);
  return mix(mixed, second) >>> 0;
}

/** A round of MurmurHash3, with its last steps. */
function mix(state: number, part: number): number {
  let mixed = Math.imul(state ^ part, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
