/** What is known of a mark: when it was remembered, and of which body (0 when that is not known). */
export type Remembered = { second: number; bodyCrc: number };

const wordsPerPlace = 6;
const firstPlaces = 64;
/** Of all places; a fuller table is slow to look things up in. */
const maxLoad = 0.65;

/**
 * Marks of 16 bytes in one typed array, found by open addressing. A place holds the mark's four words, the time (0 where
 * nothing is) and the CRC-32 of the body. It begins small, and grows up to what `maxMarks` need.
 */
export class RepeatTable {
  readonly firstSecond: number;
  lastSecond: number;
  size = 0;
  readonly #maxMarks: number;
  #places: number;
  #words: Uint32Array;

  /** `expectedMarks` have room from the beginning: to grow takes milliseconds, in which nothing is answered. */
  constructor(options: { firstSecond: number; maxMarks: number; expectedMarks: number }) {
    this.firstSecond = options.firstSecond;
    this.lastSecond = options.firstSecond;
    this.#maxMarks = options.maxMarks;
    this.#places = Math.max(firstPlaces, placesFor(Math.min(options.expectedMarks, options.maxMarks)));
    this.#words = new Uint32Array(this.#places * wordsPerPlace);
  }

  isFull(): boolean {
    return this.size >= this.#maxMarks;
  }

  find(mark: Buffer): Remembered | undefined {
    const at = this.#placeOf(
      mark.readUInt32LE(0),
      mark.readUInt32LE(4),
      mark.readUInt32LE(8),
      mark.readUInt32LE(12),
    );
    const words = this.#words;
    const time = words[at + 4]!;
    return time === 0 ? undefined : { second: this.firstSecond + time - 1, bodyCrc: words[at + 5]! };
  }

  /** Adds a mark, or renews it. Time goes forward from one to the next. */
  set(mark: Buffer, { second, bodyCrc }: Remembered): void {
    if (this.size >= this.#places * maxLoad) this.#grow();
    const [a, b] = [mark.readUInt32LE(0), mark.readUInt32LE(4)];
    const [c, d] = [mark.readUInt32LE(8), mark.readUInt32LE(12)];
    const at = this.#placeOf(a, b, c, d);
    const words = this.#words;
    if (words[at + 4] === 0) this.size += 1;
    words[at] = a;
    words[at + 1] = b;
    words[at + 2] = c;
    words[at + 3] = d;
    words[at + 4] = second - this.firstSecond + 1;
    words[at + 5] = bodyCrc;
    this.lastSecond = second;
  }

  /** Where these four words stand, or could: marks are hashes, so their first word is as good as any place. */
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
    this.#places = Math.max(Math.min(this.#places * 2, placesFor(this.#maxMarks)), this.#places + 1);
    this.#words = new Uint32Array(this.#places * wordsPerPlace);
    for (let from = 0; from < before.length; from += wordsPerPlace) {
      if (before[from + 4] === 0) continue;
      const to = this.#placeOf(before[from]!, before[from + 1]!, before[from + 2]!, before[from + 3]!);
      this.#words.set(before.subarray(from, from + wordsPerPlace), to);
    }
  }
}

function placesFor(marks: number): number {
  return Math.ceil((marks + 1) / maxLoad);
}
