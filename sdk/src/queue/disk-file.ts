import { closeSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { type FileHandle, open, rename, unlink, utimes } from 'node:fs/promises';
import { type DiskNote, writeLine } from './disk-line.ts';

export type DiskFileOptions = {
  path: string;
  /** The records that are already in the file, if it was claimed. */
  keys: readonly string[];
  bytes: number;
  /**
   * Called with the records that could not be written. Notes about other records wait for the next attempt.
   */
  onFault: (error: unknown, lostKeys: readonly string[]) => void;
};

/**
 * One file of the disk queue. It writes in the background, everything that has collected at once, and never
 * throws.
 */
export class DiskFile {
  #options: DiskFileOptions;
  #path: string;
  #bytes: number;
  #keys: Set<string>;
  #handle: FileHandle | undefined;
  #pending: DiskNote[] = [];
  #pendingBytes = 0;
  /** Notes that are being written. At the end of the process, it is unknown how much of them is on disk. */
  #underWay: DiskNote[] = [];
  #isClearDue = false;
  #isTorn = false;
  #isWriting = false;
  #waiting: (() => void)[] = [];
  #releasing: Promise<void> | undefined;

  constructor(options: DiskFileOptions) {
    this.#options = options;
    this.#path = options.path;
    this.#bytes = options.bytes;
    this.#keys = new Set(options.keys);
  }

  /** The bytes that are on disk or about to be. */
  get bytes(): number {
    return this.#bytes + this.#pendingBytes;
  }

  /** The number of records in the file that are not done. */
  get size(): number {
    return this.#keys.size;
  }

  note(note: DiskNote): void {
    const [kind, key] = note;
    if (kind === 'record') this.#keys.add(key);
    else if (!this.#keys.has(key)) return;
    if (kind === 'done') this.#keys.delete(key);
    this.#pending.push(note);
    this.#pendingBytes += estimateBytes(note);
    this.#clearIfDone();
    void this.#write();
  }

  written(): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Updates the file's time, to show other processes that this one is alive. */
  async touch(now: number): Promise<void> {
    if (this.#bytes > 0) await utimes(this.#path, now / 1000, now / 1000).catch(() => {});
  }

  /** Leaves the file under another name, or removes it if it holds no useful record. */
  release(freePath: string): Promise<void> {
    this.#releasing ??= this.#release(freePath);
    return this.#releasing;
  }

  async #release(freePath: string): Promise<void> {
    await this.written();
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => {});
    if (this.#bytes === 0 && handle === undefined) return;
    await (this.#keys.size > 0 ? rename(this.#path, freePath) : unlink(this.#path)).catch(() => {});
  }

  /** Does the same as release at the end of the process, when nothing can be awaited. */
  releaseNow(freePath: string): void {
    try {
      if (this.#keys.size === 0) {
        if (this.#bytes > 0 || this.#handle !== undefined) unlinkSync(this.#path);
        return;
      }
      const notes = [...this.#underWay, ...this.#pending];
      const file = openSync(this.#path, 'a', 0o600);
      // The notes in progress may be there in part. The line break keeps that part from spoiling the next
      // line.
      if (notes.length > 0) writeSync(file, `\n${notes.map(writeLine).join('')}`);
      closeSync(file);
      renameSync(this.#path, freePath);
    } catch (error) {
      this.#options.onFault(error, []);
    }
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    // Waits until the turn of the tracking request is over, and writes everything from that turn in one
    // piece.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0 || this.#isClearDue || this.#waiting.length > 0) {
      const waiting = this.#waiting.splice(0);
      const isWell = await this.#writeOnce();
      for (const resolve of waiting) resolve();
      if (!isWell) break;
    }
    this.#isWriting = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #writeOnce(): Promise<boolean> {
    const isClearDue = this.#isClearDue;
    this.#isClearDue = false;
    this.#underWay = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    try {
      this.#handle ??= await open(this.#path, 'a', 0o600);
      if (isClearDue) {
        await this.#handle.truncate(0);
        this.#bytes = 0;
      }
      const lines = this.#underWay.map(writeLine).join('');
      const text = this.#isTorn ? `\n${lines}` : lines;
      if (lines !== '') await this.#handle.appendFile(text);
      this.#isTorn = false;
      this.#bytes += lines === '' ? 0 : Buffer.byteLength(text);
      return true;
    } catch (error) {
      await this.#giveUpWriting(error);
      return false;
    } finally {
      this.#underWay = [];
    }
  }

  /** Keeps the records in memory only. Notes about records on disk wait for the next write. */
  async #giveUpWriting(error: unknown): Promise<void> {
    const lost = new Set(this.#underWay.filter(([kind]) => kind === 'record').map(([, key]) => key));
    for (const key of lost) this.#keys.delete(key);
    this.#pending = [...this.#underWay, ...this.#pending].filter(([, key]) => !lost.has(key));
    this.#clearIfDone();
    // A record that was written in part must not come back after a restart.
    await this.#handle?.truncate(this.#bytes).catch(() => {
      this.#isTorn = true;
    });
    this.#options.onFault(error, [...lost]);
  }

  /** Empties the file if no record in it is useful anymore, because it holds IP addresses. */
  #clearIfDone(): void {
    if (this.#keys.size > 0) return;
    this.#isClearDue = true;
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

function estimateBytes(note: DiskNote): number {
  const beside = 150;
  return note[0] === 'record' ? note[4].length + beside : beside;
}
