import assert from 'node:assert';
import type { Done } from './append-failure.ts';
import { frameHeaderBytes, markBytes, maxPayloadBytes, writeFrame } from './segment-file.ts';

/**
 * Records that are written together. Their frames are in the first `bytes` of the buffer, and `done` has a
 * callback for each, and for each verdict that is written as part of a note. Without a record, `firstPayload`
 * is empty.
 */
export type Group = {
  buffer: Buffer;
  bytes: number;
  done: Done[];
  records: number;
  sinceMs: number;
  firstPayload: string;
};

/** What there is to know of a verdict on something that isn't written itself. */
export type NotedVerdict = object;
/** Writes down verdicts in as few notes as possible. */
export type ToNotes = (verdicts: readonly NotedVerdict[]) => readonly string[];

const initialBufferBytes = 64 * 1024;
/** If more than this is waiting, the disk can't keep up. A 503 now is better than unbounded memory. */
const maxWaitingBytes = 64 * 1024 * 1024;
/** Verdicts wait as objects. Beyond this, they are answered without waiting for their note. */
const maxWaitingVerdicts = 50_000;
/** If a burst made a buffer larger than this, the buffer isn't kept. */
const maxSpareBytes = 8 * 1024 * 1024;

/** Collects the frames of the next group in one of two buffers that take turns. */
export class WaitingGroup {
  #buffer: Buffer = Buffer.allocUnsafeSlow(initialBufferBytes);
  #spare: Buffer = Buffer.allocUnsafeSlow(initialBufferBytes);
  #bytes = 0;
  #records = 0;
  #done: Done[] = [];
  /** The verdicts that wait for a note, which is written with the group. */
  #verdicts: NotedVerdict[] = [];
  #sinceMs = 0;
  #firstPayload = '';

  get bytes(): number {
    return this.#bytes;
  }

  /** How many records and verdicts are waiting. */
  get size(): number {
    return this.#done.length;
  }

  /** When the first record was appended. Undefined while there is none. */
  get sinceMs(): number | undefined {
    return this.size > 0 ? this.#sinceMs : undefined;
  }

  /** The payload of the record that was appended first. Undefined while there is none. */
  get firstPayload(): string | undefined {
    return this.#firstPayload === '' ? undefined : this.#firstPayload;
  }

  /** False if more would wait than memory should hold. */
  hasRoomFor(payload: string, note = ''): boolean {
    const room = roomOf(payload, note);
    if (room > maxPayloadBytes) throw new Error(`a record of ${payload.length} characters cannot be framed`);
    return this.#bytes + room <= maxWaitingBytes;
  }

  add(payload: string, done: Done, mark?: Uint8Array, note?: string): void {
    if (this.size === 0) this.#sinceMs = performance.now();
    if (this.#firstPayload === '') this.#firstPayload = payload;
    this.#done.push(done);
    this.#records += 1;
    this.#write(payload, mark, note);
  }

  hasRoomForVerdict(): boolean {
    return this.#verdicts.length < maxWaitingVerdicts;
  }

  /** Adds a verdict on something that isn't written itself. */
  addVerdict(verdict: NotedVerdict, done: Done): void {
    if (this.size === 0) this.#sinceMs = performance.now();
    this.#done.push(done);
    this.#verdicts.push(verdict);
  }

  /** Adds the notes that say what verdicts the group has. */
  addNotes(toNotes: ToNotes): void {
    if (this.#verdicts.length === 0) return;
    for (const note of toNotes(this.#verdicts)) {
      assert(
        Buffer.byteLength(note) < maxPayloadBytes,
        'A note must be readable: no reader takes a longer frame.',
      );
      this.#write('', undefined, note);
    }
    this.#verdicts = [];
  }

  #write(payload: string, mark: Uint8Array | undefined, note: string | undefined): void {
    const room = roomOf(payload, note);
    const isFirst = this.#bytes === 0;
    if (this.#bytes + room > this.#buffer.length) this.#grow(this.#bytes + room);
    assert(
      this.#buffer.length - this.#bytes >= room,
      'A frame must fit into the buffer, or its end would be silently cut off.',
    );
    this.#bytes += writeFrame(this.#buffer, this.#bytes, payload, mark, isFirst, note);
  }

  /**
   * Returns the waiting records so that they can be written. The next records go to the other buffer.
   * `giveBack` must be called before the next `take`.
   */
  take(): Group {
    const buffer = this.#buffer;
    const [bytes, records, sinceMs] = [this.#bytes, this.#records, this.#sinceMs];
    const firstPayload = this.#firstPayload;
    this.#buffer = this.#spare;
    return { buffer, bytes, records, sinceMs, firstPayload, done: this.refuse() };
  }

  /** Drops the frames and returns the callbacks of their records. */
  refuse(): Done[] {
    const done = this.#done;
    this.#done = [];
    this.#bytes = 0;
    this.#records = 0;
    this.#verdicts = [];
    this.#firstPayload = '';
    return done;
  }

  giveBack({ buffer }: Group): void {
    this.#spare = buffer.length > maxSpareBytes ? Buffer.allocUnsafeSlow(initialBufferBytes) : buffer;
  }

  assertSound(): void {
    assert(
      this.#bytes > 0 === this.#done.length > this.#verdicts.length,
      'Waiting records must have bytes, and bytes a waiting record, ' +
        'or one is acknowledged without being written.',
    );
  }

  /** Otherwise new records would overwrite a group that is still being written. */
  assertApart(group: Group): void {
    assert(
      group.buffer !== this.#buffer,
      'A group must not be written from the buffer that takes new records.',
    );
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#bytes);
    this.#buffer = larger;
  }
}

/** The most bytes that a frame can take: a character takes at most 3 bytes for each of its UTF-16 units. */
function roomOf(payload: string, note = ''): number {
  return frameHeaderBytes + markBytes + (note.length + 1 + payload.length) * 3;
}
