import { appendFileSync, renameSync, unlinkSync } from 'node:fs';
import { type FileHandle, open, rename, unlink, utimes } from 'node:fs/promises';
import type { KeptRecord } from './disk-keep.ts';
import { applyNote, type DiskNote, toNotes, writeLine } from './disk-line.ts';
import { isGone, isGoneNow, isMissing } from './is-gone.ts';

export type DiskFileOptions = {
  path: string;
  /** The records that are already in the file, if it was claimed. */
  records: readonly KeptRecord[];
  bytes: number;
  /**
   * Called with the records that could not be written. Notes about other records wait for the next attempt.
   */
  onFault: (error: unknown, lostKeys: readonly string[]) => void;
  /** Called when somebody has moved or deleted the file, and its records are about to be written again. */
  onGone: (records: number) => void;
};

/**
 * One file of the disk queue. It writes in the background, everything that has collected at once, and never
 * throws.
 */
export class DiskFile {
  #options: DiskFileOptions;
  #path: string;
  #bytes: number;
  /** The records that are not done, to write the file again. The queue holds their bodies anyway. */
  #records: Map<string, KeptRecord>;
  #handle: FileHandle | undefined;
  #pending: DiskNote[] = [];
  #pendingBytes = 0;
  /** Notes that are being written. At the end of the process, it is unknown how much of them is on disk. */
  #underWay: DiskNote[] = [];
  #isClearDue = false;
  #isCheckDue = false;
  #isTorn = false;
  #isWriting = false;
  #waiting: (() => void)[] = [];
  #releasing: Promise<void> | undefined;

  constructor(options: DiskFileOptions) {
    this.#options = options;
    this.#path = options.path;
    this.#bytes = options.bytes;
    this.#records = new Map(options.records.map((record) => [record.key, record]));
  }

  /** The bytes that are on disk or about to be. */
  get bytes(): number {
    return this.#bytes + this.#pendingBytes;
  }

  /** The number of records in the file that are not done. */
  get size(): number {
    return this.#records.size;
  }

  note(note: DiskNote): void {
    const [kind, key] = note;
    if (kind !== 'record' && !this.#records.has(key)) return;
    applyNote(note, this.#records);
    this.#pending.push(note);
    this.#pendingBytes += estimateBytes(note);
    this.#clearIfDone();
    void this.#write();
  }

  written(): Promise<void> {
    if (!this.#isWriting) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Updates the file's time, to show other processes that this one is alive. Writes the file again if it is
   * gone.
   */
  async touch(now: number): Promise<void> {
    if (this.#releasing !== undefined) return;
    await this.#check();
    if (this.#bytes > 0 || this.#handle !== undefined)
      await utimes(this.#path, now / 1000, now / 1000).catch(() => {});
  }

  /** Leaves the file under another name, or removes it if it holds no useful record. */
  release(freePath: string): Promise<void> {
    this.#releasing ??= this.#release(freePath);
    return this.#releasing;
  }

  async #release(freePath: string): Promise<void> {
    if (this.size > 0) await this.#check();
    await this.written();
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => {});
    if (this.#bytes === 0 && handle === undefined) return;
    if (this.size === 0) await unlink(this.#path).catch(() => {});
    else
      await rename(this.#path, freePath).catch((error) =>
        this.#options.onFault(error, isMissing(error) ? [...this.#records.keys()] : []),
      );
  }

  /** Does the same as release at the end of the process, when nothing can be awaited. */
  releaseNow(freePath: string): void {
    const hasAll = !isGoneNow(this.#path, this.#handle, this.#bytes);
    const notes = hasAll ? [...this.#underWay, ...this.#pending] : this.#allNotes();
    let lost = recordKeys(notes);
    try {
      if (this.size === 0) {
        if (this.#bytes > 0 || this.#handle !== undefined) unlinkSync(this.#path);
        return;
      }
      // The notes in progress may be there in part. The line break keeps that part from spoiling the next
      // line.
      if (notes.length > 0) appendFileSync(this.#path, `\n${notes.map(writeLine).join('')}`, { mode: 0o600 });
      lost = [];
      renameSync(this.#path, freePath);
    } catch (error) {
      this.#options.onFault(error, lost);
    }
  }

  async #check(): Promise<void> {
    this.#isCheckDue = true;
    void this.#write();
    await this.written();
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    // Waits until the turn of the tracking request is over, and writes everything from that turn in one
    // piece.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0 || this.#isClearDue || this.#isCheckDue || this.#waiting.length > 0) {
      const waiting = this.#waiting.splice(0);
      const isWell = await this.#writeOnce();
      for (const resolve of waiting) resolve();
      if (!isWell) break;
    }
    this.#isWriting = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #writeOnce(): Promise<boolean> {
    if (this.#isCheckDue) await this.#restoreIfGone();
    if (this.#pending.length === 0 && !this.#isClearDue) return true;
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
    const lost = new Set(recordKeys(this.#underWay));
    for (const key of lost) this.#records.delete(key);
    this.#pending = [...this.#underWay, ...this.#pending].filter(([, key]) => !lost.has(key));
    this.#clearIfDone();
    // A record that was written in part must not come back after a restart.
    await this.#handle?.truncate(this.#bytes).catch(() => {
      this.#isTorn = true;
    });
    this.#options.onFault(error, [...lost]);
  }

  /** Lets the next write create a file with all records. What the handle still writes can't be found. */
  async #restoreIfGone(): Promise<void> {
    this.#isCheckDue = false;
    if (!(await isGone(this.#path, this.#handle, this.#bytes))) return;
    const handle = this.#handle;
    this.#handle = undefined;
    this.#bytes = 0;
    this.#isTorn = false;
    this.#isClearDue = false;
    this.#pending = this.#allNotes();
    this.#pendingBytes = this.#pending.reduce((sum, note) => sum + estimateBytes(note), 0);
    if (this.size > 0) this.#options.onGone(this.size);
    await handle?.close().catch(() => {});
  }

  #allNotes(): DiskNote[] {
    return [...this.#records.values()].flatMap(toNotes);
  }

  /** Empties the file if no record in it is useful anymore, because it holds IP addresses. */
  #clearIfDone(): void {
    if (this.size > 0) return;
    this.#isClearDue = true;
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

const recordKeys = (notes: readonly DiskNote[]) =>
  notes.filter(([kind]) => kind === 'record').map(([, key]) => key);

function estimateBytes(note: DiskNote): number {
  const beside = 150;
  return note[0] === 'record' ? note[4].length + beside : beside;
}
