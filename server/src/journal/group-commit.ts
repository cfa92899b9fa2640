import { write } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { isNoSpace } from '../files/disk-space.ts';
import type { Log } from '../log.ts';
import { frameHeaderBytes, markBytes, maxPayloadBytes, writeFrame } from './segment-file.ts';

export type AppendFailure = 'journal-full' | 'journal-stalled' | 'journal-closed';
export type GroupReport = { records: number; bytes: number; syncMs: number };

type Done = (failure?: AppendFailure) => void;
/** `findFault` says why what is written to the file is not kept, if that is so. */
export type OpenSegment = { file: FileHandle; offset: number; findFault: () => Error | undefined };

export type GroupCommitOptions = {
  opened: OpenSegment;
  segmentBytes: number;
  nextSegment: () => Promise<OpenSegment>;
  onDurable: (end: number, report: GroupReport) => void;
  onBroken: (error: Error) => void;
  log: Log;
};

const initialBufferBytes = 1024 * 1024;
/** More than this waiting for the disk means that it cannot keep up: better a 503 now than memory without bound. */
const maxWaitingBytes = 64 * 1024 * 1024;
/** A group costs the same whether it holds one record or many; from this size on, it is not made to wait for more. */
const gatherRecords = 16;
/** A buffer that a burst made larger than this is not kept. */
const maxSpareBytes = 8 * 1024 * 1024;
/** After a refused write, how long until the disk is asked again. */
const refusalMs = 1000;

/** Collects what arrives while the last sync runs, then writes and syncs it as one group and answers all of it. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #file: FileHandle;
  #offset: number;
  #findFault: OpenSegment['findFault'];
  #waiting: Buffer = Buffer.allocUnsafeSlow(initialBufferBytes);
  #waitingBytes = 0;
  #waitingDone: Done[] = [];
  /** When the first record of the group that waits, and of the one that is at the disk, was appended. */
  #waitingSinceMs = 0;
  #writingSinceMs: number | undefined;
  #spare: Buffer = Buffer.allocUnsafeSlow(initialBufferBytes);
  #isRunning = false;
  #isGathering = false;
  #isClosed = false;
  #wantsRotation = false;
  #refusedUntilMs = 0;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#file = options.opened.file;
    this.#offset = options.opened.offset;
    this.#findFault = options.opened.findFault;
  }

  append(payload: string, done: Done, mark?: Uint8Array): void {
    const room = frameHeaderBytes + markBytes + payload.length * 3;
    if (room > maxPayloadBytes) throw new Error(`a record of ${payload.length} characters cannot be framed`);
    if (this.#isClosed || this.#waitingBytes + room > maxWaitingBytes) {
      done(this.#isClosed ? 'journal-closed' : 'journal-full');
      return;
    }
    if (this.#waitingBytes === 0) this.#waitingSinceMs = performance.now();
    if (this.#waitingBytes + room > this.#waiting.length) this.#grow(this.#waitingBytes + room);
    this.#waitingBytes += writeFrame(this.#waiting, this.#waitingBytes, payload, mark);
    this.#waitingDone.push(done);
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#gather();
    } else if (this.#isGathering && this.#waitingDone.length >= gatherRecords) {
      // Not at the end of the turn: the disk works on these while the rest of the turn's requests are read.
      this.#isGathering = false;
      this.#run();
    }
  }

  /** Lets the records that are read in this turn of the event loop become one group, or as many as make one worthwhile. */
  #gather(): void {
    this.#isGathering = true;
    setImmediate(() => {
      if (!this.#isGathering) return;
      this.#isGathering = false;
      this.#run();
    });
  }

  /** For how long the oldest record has waited for the disk; 0 when none does. */
  oldestUnansweredMs(): number {
    const sinceMs = this.#writingSinceMs ?? (this.#waitingBytes > 0 ? this.#waitingSinceMs : undefined);
    return sinceMs === undefined ? 0 : performance.now() - sinceMs;
  }

  /** True for a moment after the disk refused a write (no space, over quota). */
  isDiskRefusing(): boolean {
    return performance.now() < this.#refusedUntilMs;
  }

  async rotate(): Promise<void> {
    if (this.#isClosed) return;
    this.#wantsRotation = true;
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#run();
    }
    await this.#whenIdle();
  }

  /** Makes durable what was appended, then refuses more. */
  async close(): Promise<void> {
    await this.#whenIdle();
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#file.close();
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#waiting.length * 2));
    this.#waiting.copy(larger, 0, 0, this.#waitingBytes);
    this.#waiting = larger;
  }

  #run(): void {
    if (this.#isClosed) {
      for (const answer of this.#takeWaiting()) answer('journal-closed');
      return;
    }
    if (this.#wantsRotation || this.#offset >= this.#options.segmentBytes) {
      this.#wantsRotation = false;
      this.#beginSegment();
      return;
    }
    if (this.#waitingBytes === 0) {
      this.#becomeIdle();
      return;
    }
    const group = this.#waiting;
    const bytes = this.#waitingBytes;
    const done = this.#takeWaiting();
    this.#writingSinceMs = this.#waitingSinceMs;
    this.#waiting = this.#spare;
    this.#writeGroup(group, bytes, done);
  }

  /** The file is opened so that a write returns once its bytes are on disk. */
  #writeGroup(group: Buffer, bytes: number, done: Done[]): void {
    const startedMs = performance.now();
    const writeFrom = (from: number) => {
      write(this.#file.fd, group, from, bytes - from, this.#offset + from, (error, written) => {
        if (error) this.#onFailure(error, group, done);
        else if (from + written < bytes) writeFrom(from + written);
        else this.#onDurable(group, bytes, done, performance.now() - startedMs);
      });
    };
    writeFrom(0);
  }

  #onDurable(group: Buffer, bytes: number, done: Done[], syncMs: number): void {
    // A file that was removed takes writes as before. Once a group: 2.5 µs beside a write to disk.
    const fault = this.#findFault();
    if (fault !== undefined) {
      this.#break(fault, done);
      return;
    }
    this.#offset += bytes;
    this.#writingSinceMs = undefined;
    this.#options.onDurable(this.#offset, { records: done.length, bytes, syncMs });
    this.#spare = group.length > maxSpareBytes ? Buffer.allocUnsafeSlow(initialBufferBytes) : group;
    // On disk before 200: a lost answer is a retry, a lost record is a lie.
    for (const answer of done) answer();
    this.#gather();
  }

  #onFailure(error: NodeJS.ErrnoException, group: Buffer, done: Done[]): void {
    // Without space nothing of this group counts and the next may have it. After any other fault the write is not
    // tried again: the kernel may have dropped the pages, and would report success.
    if (isNoSpace(error)) this.#undo(error, group, done);
    else this.#break(error, done);
  }

  /** The disk took no bytes or only some: cut them off again, refuse the group, and go on with the next one. */
  #undo(error: Error, group: Buffer, done: Done[]): void {
    this.#options.log.error({ err: error }, 'the journal could not be written: records are refused');
    this.#file.truncate(this.#offset).then(
      () => {
        this.#spare = group;
        this.#writingSinceMs = undefined;
        this.#refusedUntilMs = performance.now() + refusalMs;
        for (const answer of done) answer('journal-full');
        this.#run();
      },
      (failure: Error) => this.#break(failure, done),
    );
  }

  #beginSegment(): void {
    const finished = this.#file;
    this.#options.nextSegment().then(
      ({ file, offset, findFault }) => {
        this.#file = file;
        this.#offset = offset;
        this.#findFault = findFault;
        finished
          .close()
          .catch((error: unknown) => this.#options.log.warn({ err: error }, 'cannot close a segment'));
        this.#run();
      },
      (error: NodeJS.ErrnoException) => {
        // Nothing was written yet: what is only short, space or open files, may be there in a moment.
        if (!isNoSpace(error) && !isNoDescriptor(error)) {
          this.#break(error, []);
          return;
        }
        this.#options.log.error(
          { err: error },
          'the next journal segment cannot be made now: records are refused',
        );
        this.#refusedUntilMs = performance.now() + refusalMs;
        for (const answer of this.#takeWaiting()) answer('journal-full');
        this.#becomeIdle();
      },
    );
  }

  #takeWaiting(): Done[] {
    const waiting = this.#waitingDone;
    this.#waitingDone = [];
    this.#waitingBytes = 0;
    return waiting;
  }

  #becomeIdle(): void {
    this.#isRunning = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #break(error: Error, done: Done[]): void {
    this.#isClosed = true;
    this.#writingSinceMs = undefined;
    for (const answer of [...done, ...this.#takeWaiting()]) answer('journal-closed');
    for (const resolve of this.#idle.splice(0)) resolve();
    this.#options.onBroken(error);
  }

  #whenIdle(): Promise<void> {
    if (!this.#isRunning || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }
}

function isNoDescriptor(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EMFILE' || error.code === 'ENFILE';
}
