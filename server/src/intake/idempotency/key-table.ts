import type { Received } from '../receipts/receipts.ts';

/**
 * What is known about a key: when it was remembered, the checksum of its body (0 if unknown), and when its
 * record was received.
 */
export type Remembered = { second: number; bodyCrc: number; received?: Received | undefined };

export const hashBytes = 16;

const wordsPerPlace = 8;
const firstPlaces = 64;
/** The share of places that may be taken. Lookups in a fuller table are slow. */
const maxLoad = 0.65;

/**
 * Idempotency hashes of 16 bytes in one typed array, found by open addressing. A place holds the hash's four
 * words, the time (0 if the place is empty), the CRC-32 of the body, and 48 bits for the time of receipt (0 if
 * unknown) with 16 for the place in it. The table starts small and grows to what `maxKeys` need.
 */
export class KeyTable {
  readonly firstSecond: number;
  lastSecond: number;
  size = 0;
  readonly #maxKeys: number;
  #places: number;
  #words: Uint32Array;

  /**
   * Makes room for `expectedKeys` from the start, because growing takes milliseconds in which nothing is
   * answered.
   */
  constructor(options: { firstSecond: number; maxKeys: number; expectedKeys: number }) {
    this.firstSecond = options.firstSecond;
    this.lastSecond = options.firstSecond;
    this.#maxKeys = options.maxKeys;
    this.#places = Math.max(firstPlaces, placesFor(Math.min(options.expectedKeys, options.maxKeys)));
    this.#words = new Uint32Array(this.#places * wordsPerPlace);
  }

  isFull(): boolean {
    return this.size >= this.#maxKeys;
  }

  find(hash: Buffer): Remembered | undefined {
    const at = this.#placeOf(
      hash.readUInt32LE(0),
      hash.readUInt32LE(4),
      hash.readUInt32LE(8),
      hash.readUInt32LE(12),
    );
    const words = this.#words;
    const time = words[at + 4]!;
    if (time === 0) return undefined;
    const second = this.firstSecond + time - 1;
    return { second, bodyCrc: words[at + 5]!, received: readReceived(words[at + 6]!, words[at + 7]!) };
  }

  /** Writes the hashes that are not older than `oldest` to `target`, and returns where it ended. */
  copyHashes(target: Buffer, start: number, oldest: number): number {
    const words = this.#words;
    let at = start;
    for (let place = 0; place < words.length; place += wordsPerPlace) {
      const time = words[place + 4]!;
      if (time === 0 || this.firstSecond + time - 1 < oldest) continue;
      for (let word = 0; word < 4; word += 1) at = target.writeUInt32LE(words[place + word]!, at);
    }
    return at;
  }

  /** Adds a key, or renews it. Times must not decrease from one call to the next. */
  set(hash: Buffer, { second, bodyCrc, received }: Remembered): void {
    if (this.size >= this.#places * maxLoad) this.#grow();
    const [a, b] = [hash.readUInt32LE(0), hash.readUInt32LE(4)];
    const [c, d] = [hash.readUInt32LE(8), hash.readUInt32LE(12)];
    const at = this.#placeOf(a, b, c, d);
    const words = this.#words;
    if (words[at + 4] === 0) this.size += 1;
    words[at] = a;
    words[at + 1] = b;
    words[at + 2] = c;
    words[at + 3] = d;
    words[at + 4] = second - this.firstSecond + 1;
    words[at + 5] = bodyCrc;
    const ms = received?.receivedAtMs ?? 0;
    words[at + 6] = ms >>> 0;
    words[at + 7] = Math.floor(ms / 2 ** 32) * 2 ** 16 + (received?.order ?? 0);
    this.lastSecond = second;
  }

  /**
   * Returns the place of these four words, or the free place where they belong. The search starts at the
   * hash's first word, which is evenly distributed.
   */
  #placeOf(a: number, b: number, c: number, d: number): number {
    const words = this.#words;
    const end = words.length;
    for (let at = Math.floor((a / 2 ** 32) * this.#places) * wordsPerPlace; ; ) {
      if (words[at + 4] === 0) return at;
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return at;
      at += wordsPerPlace;
      if (at === end) at = 0;
    }
  }

  #grow(): void {
    const before = this.#words;
    this.#places = Math.max(Math.min(this.#places * 2, placesFor(this.#maxKeys)), this.#places + 1);
    this.#words = new Uint32Array(this.#places * wordsPerPlace);
    for (let from = 0; from < before.length; from += wordsPerPlace) {
      if (before[from + 4] === 0) continue;
      const to = this.#placeOf(before[from]!, before[from + 1]!, before[from + 2]!, before[from + 3]!);
      this.#words.set(before.subarray(from, from + wordsPerPlace), to);
    }
  }
}

function readReceived(low: number, high: number): Received | undefined {
  const receivedAtMs = (high >>> 16) * 2 ** 32 + low;
  return receivedAtMs === 0 ? undefined : { receivedAtMs, order: high & 0xffff };
}

function placesFor(keys: number): number {
  return Math.ceil((keys + 1) / maxLoad);
}
