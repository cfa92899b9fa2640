/**
 * The text of one INSERT after the other, always in the same memory. If megabytes were allocated and dropped
 * each second, V8 would collect garbage at the expense of incoming requests.
 */
export class BatchBody {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was added since the last `clear`. Valid until the next one. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /**
   * Empties the body and makes room for this many bytes. The memory of one large batch isn't kept for small
   * ones.
   */
  clear(expectedBytes: number): void {
    this.#length = 0;
    const isLavish = this.#buffer.length > keptBytes && expectedBytes < keptBytes;
    if (isLavish || this.#buffer.length < expectedBytes) {
      this.#buffer = Buffer.allocUnsafeSlow(Math.ceil(expectedBytes * headroom));
    }
  }

  /** Adds one line: `prefix`, followed by the bytes from `start` to `end`. */
  addLine(prefix: Buffer, bytes: Buffer, start: number, end: number): void {
    const needed = this.#length + prefix.length + end - start + 1;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#length += prefix.copy(this.#buffer, this.#length);
    this.#length += bytes.copy(this.#buffer, this.#length, start, end);
    this.#buffer[this.#length] = newline;
    this.#length += 1;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.ceil(needed * headroom));
    this.bytes.copy(larger);
    this.#buffer = larger;
  }
}

const newline = 10;
const headroom = 1.1;
const keptBytes = 8 * 1024 * 1024;
