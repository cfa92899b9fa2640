import assert, { AssertionError } from 'node:assert';
import type { Disk, DiskFile } from '../files/disk.ts';
import { isNoSpace } from '../files/disk-space.ts';
import type { Log } from '../log.ts';
import type { Done } from './append-failure.ts';
import { type Group, type NotedVerdict, type ToNotes, WaitingGroup } from './waiting-group.ts';

/** A record to be written, and what is called when it is, or won't be. */
export type Entry = {
  payload: string;
  done: Done;
  mark?: Uint8Array | undefined;
  note?: string | undefined;
};

export type GroupReport = { records: number; bytes: number; syncMs: number };

/**
 * `findFault` returns the reason if data that is written to the file is not kept. The file has zeros from
 * `offset` to `reservedTo`, which are cut off when it is sealed.
 */
export type OpenSegment = {
  file: DiskFile;
  offset: number;
  reservedTo: number;
  findFault: () => Error | undefined;
};

export type GroupCommitOptions = {
  disk: Pick<Disk, 'write'>;
  opened: OpenSegment;
  segmentBytes: number;
  nextSegment: () => Promise<OpenSegment>;
  /** Whether the next segment has zeros to replace, which is faster than making a file longer. */
  isNextReady: () => boolean;
  /** Called before zeros are cut off a file that must have this many bytes. */
  beforeTrim: (bytes: number) => void;
  toNotes: ToNotes;
  /** A group of this many bytes is on disk, up to `end`, and its records are about to be answered. */
  onDurable: (end: number, bytes: number) => void;
  /** The records of a group were answered. */
  onGroup: (report: GroupReport) => void;
  onBroken: (error: Error) => void;
  log: Log;
};

/** A group costs the same whether it has one record or many. From this size on, it doesn't wait for more. */
const gatherRecords = 16;
/** A segment without zeros can go on growing while it has fewer bytes than this. */
const busyBytes = 64 * 1024;
/** How long after a refused write the disk is tried again. */
const refusalMs = 1000;
/** How long after a refused write the disk counts as full, unless another write succeeds. */
const fullMs = 15_000;

/**
 * Collects the records that arrive while the last group is being written, then writes and syncs them as one
 * group and answers all of them.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #file: DiskFile;
  #offset: number;
  #reservedTo: number;
  /** Whether a power cut could bring back zeros that were cut off. */
  #isCutUnsynced = false;
  #findFault: OpenSegment['findFault'];
  readonly #waiting = new WaitingGroup();
  /** The group that is being written. */
  #atDisk: Group | undefined;
  #isRunning = false;
  #isGathering = false;
  #isClosed = false;
  #wantsRotation = false;
  #refusedAtMs = Number.NEGATIVE_INFINITY;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#file = options.opened.file;
    this.#offset = options.opened.offset;
    this.#reservedTo = options.opened.reservedTo;
    this.#findFault = options.opened.findFault;
  }

  append(payload: string, done: Done, mark?: Uint8Array, note?: string): void {
    if (this.#add(payload, done, mark, note)) this.#startSoon();
  }

  /** Appends a verdict. One note says what all verdicts of a group are. */
  appendVerdict(verdict: NotedVerdict, done: Done): void {
    if (this.#isClosed || !this.#waiting.hasRoomForVerdict()) {
      done(this.#isClosed ? 'journal-closed' : 'journal-full');
      return;
    }
    this.#waiting.addVerdict(verdict, done);
    this.#startSoon();
  }

  /** Appends records that become durable in the same group, except those for which there is no room. */
  appendTogether(entries: readonly Entry[]): void {
    // None of them may start a group before the last one is in it.
    const added = entries.filter(({ payload, done, mark, note }) => this.#add(payload, done, mark, note));
    if (added.length > 0) this.#startSoon();
  }

  /** Returns whether the record waits for the disk. If not, it has been answered. */
  #add(payload: string, done: Done, mark: Uint8Array | undefined, note: string | undefined): boolean {
    if (!this.#waiting.hasRoomFor(payload, note) || this.#isClosed) {
      done(this.#isClosed ? 'journal-closed' : 'journal-full');
      return false;
    }
    return this.#holds(() => this.#waiting.add(payload, done, mark, note));
  }

  #startSoon(): void {
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#gather();
    } else if (this.#isGathering && this.#waiting.size >= gatherRecords) {
      // Don't wait for the end of the turn: the disk works on these while the rest of the turn's requests are
      // read.
      this.#isGathering = false;
      this.#run();
    }
  }

  /**
   * Combines the records that are read in this turn of the event loop into one group, or as many as make one
   * worthwhile.
   */
  #gather(): void {
    this.#isGathering = true;
    setImmediate(() => {
      if (!this.#isGathering) return;
      this.#isGathering = false;
      this.#run();
    });
  }

  /** How long the oldest record has waited for the disk. 0 if none is waiting. */
  oldestUnansweredMs(): number {
    const sinceMs = this.#atDisk?.sinceMs ?? this.#waiting.sinceMs;
    return sinceMs === undefined ? 0 : performance.now() - sinceMs;
  }

  /** The payload of the oldest record that waits for the disk. Undefined if none is waiting. */
  oldestUnanswered(): string | undefined {
    return this.#atDisk?.firstPayload || this.#waiting.firstPayload;
  }

  /** True for a moment after the disk refused a write (no space, or over quota). */
  isDiskRefusing(): boolean {
    return performance.now() < this.#refusedAtMs + refusalMs;
  }

  /**
   * True from a refused write to the next one that succeeds. If none is tried, then only for a while: whoever
   * sends nothing to a server that is full would never learn that it no longer is.
   */
  isDiskFull(): boolean {
    return performance.now() < this.#refusedAtMs + fullMs;
  }

  /** The next record, and those that are waiting with it, begin a new segment. */
  wantRotation(): void {
    this.#wantsRotation = true;
  }

  async rotate(): Promise<void> {
    if (this.#isClosed) return;
    this.wantRotation();
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#run();
    }
    await this.#whenIdle();
  }

  /** Makes everything that was appended durable, then refuses more. */
  async close(): Promise<void> {
    // A record may have come in the moment between.
    do await this.#whenIdle();
    while (this.#isRunning && !this.#isClosed);
    if (this.#isClosed || !this.#holds(() => this.#assertNothingAtDisk())) return;
    this.#isClosed = true;
    await this.#trim().catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'cannot cut off the end of a segment'),
    );
    await this.#file.close();
  }

  #run(): void {
    if (this.#isClosed) {
      for (const answer of this.#waiting.refuse()) answer('journal-closed');
      return;
    }
    if (!this.#holds(() => this.#assertMayRun())) return;
    if (this.#wantsRotation || this.#offset >= this.#options.segmentBytes || this.#isUsedUp()) {
      this.#wantsRotation = false;
      this.#beginSegment();
      return;
    }
    if (this.#waiting.size === 0) {
      this.#becomeIdle();
      return;
    }
    if (!this.#holds(() => this.#waiting.addNotes(this.#options.toNotes))) return;
    const group = this.#waiting.take();
    this.#atDisk = group;
    if (this.#holds(() => this.#waiting.assertApart(group))) this.#writeGroup(group);
  }

  /** The file is opened in such a way that a write returns once its bytes are on disk. */
  #writeGroup(group: Group): void {
    const { buffer, bytes } = group;
    const startedMs = performance.now();
    const writeFrom = (from: number) => {
      this.#options.disk.write(
        this.#file.fd,
        buffer,
        from,
        bytes - from,
        this.#offset + from,
        (error, written) => {
          // Something else has broken the journal in the meantime, and everyone was answered.
          if (this.#isClosed) return;
          if (error) this.#onFailure(error, group);
          else if (written > 0 && from + written < bytes) writeFrom(from + written);
          else this.#onDurable(group, from + written, performance.now() - startedMs);
        },
      );
    };
    writeFrom(0);
  }

  #onDurable(group: Group, written: number, syncMs: number): void {
    // A removed file still accepts writes. This check runs once per group and takes about 6 µs, next to a
    // write to disk.
    const fault = this.#findFault();
    if (fault !== undefined) {
      this.#break(fault);
      return;
    }
    const { bytes, done, records } = group;
    const isDurable = this.#holds(() => {
      this.#assertWritten(group, written);
      this.#offset += bytes;
      this.#options.onDurable(this.#offset, bytes);
    });
    if (!isDurable) return;
    this.#atDisk = undefined;
    this.#refusedAtMs = Number.NEGATIVE_INFINITY;
    this.#waiting.giveBack(group);
    // On disk before 200: a lost answer is a retry, a lost record is a lie.
    for (const answer of done) answer();
    this.#options.onGroup({ records, bytes, syncMs });
    this.#gather();
  }

  #onFailure(error: NodeJS.ErrnoException, group: Group): void {
    // Without space, this group is refused and the next one may be written. After any other fault the write
    // isn't tried again, because the kernel may have dropped the pages and would report success.
    if (isNoSpace(error)) this.#undo(error, group);
    else this.#break(error);
  }

  /**
   * The disk accepted no bytes or only some. Cut them off, refuse the group, and continue with the next one.
   */
  #undo(error: Error, group: Group): void {
    this.#options.log.error({ err: error }, 'the journal could not be written: records are refused');
    const cut = async () => {
      await this.#file.truncate(this.#offset);
      this.#reservedTo = 0;
      // Otherwise a power cut could bring records back that were refused, and sent again.
      await this.#file.datasync().catch((failure: unknown) => {
        if (!isNoSpace(failure)) throw failure;
      });
    };
    cut().then(
      () => {
        this.#waiting.giveBack(group);
        this.#atDisk = undefined;
        this.#refusedAtMs = performance.now();
        for (const answer of group.done) answer('journal-full');
        this.#run();
      },
      (failure: Error) => this.#break(failure),
    );
  }

  /**
   * Whether the next segment has zeros to replace, and this one has none left. One that never had any is left
   * only by a busy node. Zeros are used up first, or a busy node would begin ten segments a second.
   */
  #isUsedUp(): boolean {
    return this.#offset >= (this.#reservedTo || busyBytes) && this.#options.isNextReady();
  }

  /** Cuts off the zeros that were not used. A sealed segment ends with its last frame, also after a power cut. */
  async #trim(): Promise<void> {
    if (this.#reservedTo > this.#offset) {
      // What someone else has written there must not go unnoticed.
      this.#options.beforeTrim(this.#reservedTo);
      await this.#file.truncate(this.#offset);
      this.#reservedTo = 0;
      this.#isCutUnsynced = true;
    }
    if (!this.#isCutUnsynced) return;
    await this.#file.datasync();
    this.#isCutUnsynced = false;
  }

  #beginSegment(): void {
    const finished = this.#file;
    const next = async () => {
      await this.#trim();
      return await this.#options.nextSegment();
    };
    next().then(
      ({ file, offset, reservedTo, findFault }) => {
        if (!this.#holds(() => this.#assertNothingAtDisk())) return;
        this.#file = file;
        this.#offset = offset;
        this.#reservedTo = reservedTo;
        this.#findFault = findFault;
        finished
          .close()
          .catch((error: unknown) => this.#options.log.warn({ err: error }, 'cannot close a segment'));
        this.#run();
      },
      (error: NodeJS.ErrnoException) => {
        // Nothing was written yet. If only space or open files are short, they may be available in a moment.
        if (!isNoSpace(error) && !isNoDescriptor(error)) {
          this.#break(error);
          return;
        }
        this.#options.log.error(
          { err: error },
          'cannot create the next journal segment: records are refused',
        );
        this.#refusedAtMs = performance.now();
        for (const answer of this.#waiting.refuse()) answer('journal-full');
        this.#becomeIdle();
      },
    );
  }

  #becomeIdle(): void {
    this.#isRunning = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Nothing more is acknowledged, no matter how much of it is on disk, and the node is told to end. */
  #break(error: Error): void {
    this.#isClosed = true;
    const unsure = this.#atDisk?.done ?? [];
    this.#atDisk = undefined;
    for (const answer of unsure) answer('journal-broken');
    for (const answer of this.#waiting.refuse()) answer('journal-closed');
    for (const resolve of this.#idle.splice(0)) resolve();
    this.#options.onBroken(error);
  }

  #whenIdle(): Promise<void> {
    if (!this.#isRunning || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Whether the assertions hold. A failed assertion is as bad as a failed write, and breaks the journal. */
  #holds(assertions: () => void): boolean {
    try {
      assertions();
      return true;
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      this.#break(error);
      return false;
    }
  }

  #assertMayRun(): void {
    assert(
      this.#isRunning && !this.#isGathering,
      'The next group must start once, while no other step is due: two would write to the same place.',
    );
    this.#assertNothingAtDisk();
    this.#waiting.assertSound();
  }

  #assertNothingAtDisk(): void {
    assert(
      this.#atDisk === undefined,
      'No other step may start while a group is being written: its place in the file would change.',
    );
  }

  #assertWritten(group: Group, written: number): void {
    assert(group === this.#atDisk, 'Only the group that is being written can become durable.');
    assert.equal(
      written,
      group.bytes,
      'Every byte of a group must be on disk before any of its records is acknowledged.',
    );
  }
}

function isNoDescriptor(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EMFILE' || error.code === 'ENFILE';
}
