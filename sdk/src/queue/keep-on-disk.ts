import { mkdirSync, statSync } from 'node:fs';
import { readdir, readFile, rename, stat, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrackFault } from '../faults/track-fault.ts';
import type { TrackRecord } from '../record/record.ts';
import { DiskFile } from './disk-file.ts';
import type { DiskKeep, KeptRecord } from './disk-keep.ts';
import { type DiskNote, readLines, recordNote, tryNote } from './disk-line.ts';
import {
  createOwner,
  type DiskOwner,
  isAbandoned,
  isRecordsFile,
  nameFile,
  nameFreeFile,
} from './disk-owner.ts';
import { atExit } from './exit-list.ts';

export type { DiskKeep } from './disk-keep.ts';

const defaultMaxBytes = 64 * 2 ** 20;
const minMaxBytes = 2 ** 20;
const fileBytes = 4 * 2 ** 20;
/** After a fault, the disk is left alone for a while. If it is full, each write would fail. */
const restMs = 10_000;

/**
 * Keeps tracked records in a folder until they are delivered, so that they survive a crash of this process.
 * Use one folder for each website: a record does not include the API key, and is sent with the key of the
 * process that claims it. Several processes of the website may share the folder. It must be on a disk of this
 * machine, with access for its owner alone.
 */
export function keepOnDisk(folder: string, options: { maxBytes?: number } = {}): DiskKeep {
  const { maxBytes = defaultMaxBytes } = options;
  if (!Number.isInteger(maxBytes) || maxBytes < minMaxBytes) {
    throw new Error(
      `Trackside: maxBytes: expected a whole number of at least ${minMaxBytes}, got ${maxBytes}.`,
    );
  }
  prepareFolder(folder);
  return new FolderKeep(folder, maxBytes);
}

function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode } = statSync(folder);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    throw new Error(
      `Trackside: expected the folder ${folder} to be accessible to its owner only (0700), got ${octal}: ` +
        'it holds IP addresses. Run chmod 700 on it.',
    );
  }
}

class FolderKeep implements DiskKeep {
  #folder: string;
  #maxBytes: number;
  #owner: DiskOwner = createOwner();
  #fileNumber = 0;
  #files = new Set<DiskFile>();
  /** The file that takes new records. */
  #current: DiskFile | undefined;
  #homes = new Map<string, DiskFile>();
  #othersBytes = 0;
  #lookedAt: number | undefined;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #tell: ((fault: TrackFault) => void) | undefined;

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  open(tell: (fault: TrackFault) => void): void {
    if (this.#tell !== undefined) {
      throw new Error(
        'Trackside: expected one keepOnDisk(folder) per client, got the same one for two clients.',
      );
    }
    this.#tell = tell;
    atExit.add(this.#leave);
  }

  add(record: TrackRecord, trackedAt: number): void {
    if (this.#isClosed || performance.now() < this.#restUntilMs) return;
    const bytes = this.#othersBytes + [...this.#files].reduce((sum, file) => sum + file.bytes, 0);
    if (bytes + record.body.length > this.#maxBytes) {
      this.#report(
        `Expected room in the folder of the disk queue, got ${this.#maxBytes} bytes already waiting: ` +
          'new records are kept in memory only.',
        1,
      );
      return;
    }
    this.#current ??= this.#openFile([], 0, this.#nextPath());
    this.#homes.set(record.key, this.#current);
    this.#current.note(recordNote(record, trackedAt));
    if (this.#current.bytes >= Math.min(fileBytes, this.#maxBytes / 4)) this.#current = undefined;
  }

  noteTry(key: string, at: number, occurredAt: number | undefined): void {
    this.#note(tryNote(key, at, occurredAt));
  }

  noteUntried(key: string): void {
    this.#note(['untried', key]);
  }

  noteDone(key: string): void {
    const file = this.#homes.get(key);
    if (file === undefined || this.#isClosed) return;
    this.#note(['done', key]);
    this.#homes.delete(key);
    if (file.size === 0 && file !== this.#current) void this.#remove(file);
  }

  has(key: string): boolean {
    return this.#homes.has(key);
  }

  async written(): Promise<void> {
    await Promise.all([...this.#files].map((file) => file.written()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    atExit.remove(this.#leave);
    await Promise.all([...this.#files].map((file) => file.release(join(this.#folder, nameFreeFile()))));
  }

  async claim(maxRecords: number): Promise<KeptRecord[]> {
    const now = Date.now();
    const claimed: KeptRecord[] = [];
    try {
      await Promise.all([...this.#files].map((file) => file.touch(now)));
      this.#othersBytes = 0;
      for (const { name, bytes, isFree } of await this.#listOthers(now)) {
        if (isFree && claimed.length < maxRecords && !this.#isClosed)
          claimed.push(...(await this.#take(name)));
        else this.#othersBytes += bytes;
      }
    } catch (error) {
      this.#report(`Expected to read the folder of the disk queue, got ${nameError(error)}.`, 0);
    }
    return claimed;
  }

  #leave = () => {
    for (const file of this.#files) file.releaseNow(join(this.#folder, nameFreeFile()));
  };

  #note(note: DiskNote): void {
    if (!this.#isClosed) this.#homes.get(note[1])?.note(note);
  }

  #nextPath(): string {
    this.#fileNumber += 1;
    return join(this.#folder, nameFile(this.#owner, this.#fileNumber));
  }

  #openFile(records: readonly KeptRecord[], bytes: number, path: string): DiskFile {
    const file = new DiskFile({
      path,
      records,
      bytes,
      onFault: (error, lost) => this.#onWriteFault(error, lost),
      onGone: (count) =>
        this.#report(
          'Expected a file of the disk queue to stay in its folder, got it moved or deleted: ' +
            'the records that still wait are written to a new one.',
          count,
        ),
    });
    this.#files.add(file);
    return file;
  }

  async #remove(file: DiskFile): Promise<void> {
    await file.release(join(this.#folder, nameFreeFile()));
    this.#files.delete(file);
  }

  #onWriteFault(error: unknown, lostKeys: readonly string[]): void {
    for (const key of lostKeys) this.#homes.delete(key);
    this.#restUntilMs = performance.now() + restMs;
    this.#report(
      `Expected to write to the disk queue, got ${nameError(error)}: ` +
        'records are kept in memory only until it works again.',
      lostKeys.length,
    );
  }

  /**
   * Lists other processes' files, oldest first. A file that disappears in the meantime was claimed by another
   * process, or is done.
   */
  async #listOthers(now: number): Promise<{ name: string; bytes: number; isFree: boolean }[]> {
    const names = (await readdir(this.#folder)).filter(isRecordsFile);
    // A program may be too short for a second look, so the first one has to be enough.
    const lookedAt = this.#lookedAt ?? now;
    this.#lookedAt = now;
    const own = nameFile(this.#owner, 0).split('.')[0];
    const found = await Promise.all(
      names.map(async (name) => {
        if (name.startsWith(`${own}.`)) return undefined;
        const stats = await stat(join(this.#folder, name)).catch(() => undefined);
        if (stats === undefined) return undefined;
        const times = { changedAt: stats.mtimeMs, createdAt: stats.birthtimeMs, now, lookedAt };
        const isFree = isAbandoned(name, times, this.#owner);
        return { name, bytes: stats.size, changedAt: stats.mtimeMs, isFree };
      }),
    );
    return found.filter((file) => file !== undefined).sort((a, b) => a.changedAt - b.changedAt);
  }

  /** Takes over a file by renaming it. If several processes try, one succeeds. */
  async #take(name: string): Promise<KeptRecord[]> {
    const path = this.#nextPath();
    try {
      await rename(join(this.#folder, name), path);
    } catch {
      return [];
    }
    try {
      const bytes = await readFile(path);
      const { records, damaged, wholeBytes } = readLines(bytes);
      if (wholeBytes < bytes.length) await truncate(path, wholeBytes);
      if (damaged > 0) {
        this.#report(
          'Expected whole lines in a file of the disk queue, got damaged ones: they are skipped.',
          damaged,
        );
      }
      if (records.length === 0) {
        await unlink(path);
        return [];
      }
      const file = this.#openFile(records, wholeBytes, path);
      for (const { key } of records) {
        // Its owner has written again what this process had taken from it before.
        if (this.#homes.has(key)) file.note(['done', key]);
        else this.#homes.set(key, file);
      }
      if (file.size === 0) await this.#remove(file);
      return records.filter(({ key }) => this.#homes.get(key) === file);
    } catch (error) {
      this.#report(
        `Expected to read a file of the disk queue, got ${nameError(error)}: the file is left as it is.`,
        0,
      );
      return [];
    }
  }

  #report(message: string, records: number): void {
    this.#tell?.({ kind: 'disk', message, records });
  }
}

/** Returns the system's name for the error. Its message would hold the path, and nothing more helpful. */
function nameError(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'an exception';
}
