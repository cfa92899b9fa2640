import assert from 'node:assert';
import { unlinkIfThere } from '../files/disk.ts';
import { makeFolder } from '../files/make-folder.ts';
import { syncFolder } from '../files/sync-folder.ts';
import type { JournalPosition } from '../records/journal-position.ts';
import { takeAnchor, wasSetSince } from '../time/clock-anchor.ts';
import type { AppendFailure } from './append-failure.ts';
import { assertInOrder, assertPayloadStart, assertSealedBytes, assertSize } from './assert-segments.ts';
import { type Entry, GroupCommit, type GroupReport, type OpenSegment } from './group-commit.ts';
import { segmentVanished } from './journal-damage.ts';
import { receivedAtMs } from './payload-start.ts';
import { createReadySegments } from './ready-segments.ts';
import { type RecoverOptions, recoverJournal, type Segment } from './recover-journal.ts';
import { createSegment, segmentPath } from './segment-file.ts';
import type { NotedVerdict, ToNotes } from './waiting-group.ts';

export type JournalOptions = RecoverOptions & {
  segmentBytes: number;
  /** How many zeros the next segment gets at least. None if it is 0. */
  readyBytes: number;
  /** Records are refused while the journal holds more than this. */
  maxBytes: number;
  /** Records are refused while the disk has less than this left. */
  minFreeBytes: number;
  toNotes: ToNotes;
  /** Called after each group commit, when its records were answered. */
  onGroup: (report: GroupReport) => void;
  /**
   * Called once when a write couldn't be made durable, or when an assertion failed. The node must stop,
   * because nobody knows what is on disk.
   */
  onBroken: (error: Error) => void;
};

export type Journal = Awaited<ReturnType<typeof openJournal>>;

const checkMs = 1000;
/**
 * When a record has waited this long for the disk, further records are refused. Those that are waiting get
 * their true answer.
 */
const stalledAfterMs = 10_000;

/** Opens the folder's journal for appending. Every start begins a new segment. */
export async function openJournal(options: JournalOptions) {
  const { disk, folder, node, columns, clock, log } = options;
  await makeFolder(folder, disk);
  const ready = createReadySegments(options);
  await ready.open();
  const recovered = await recoverJournal(options);
  const { segments } = recovered;
  let { last } = recovered;

  assertInOrder(segments, last);
  assertPayloadStart(columns);

  let sealedBytes = segments.reduce((sum, segment) => sum + segment.end, 0);
  let isDiskFull = false;
  let isStalled = false;
  /** When each segment was begun, by the monotonic clock. Setting the wall clock makes none of them older. */
  const begunMs = new Map<number, number>();
  let since = takeAnchor(clock);
  for (const { number, createdAt } of segments)
    begunMs.set(number, since.monotonicMs - Math.max(0, since.wallMs - createdAt));

  /** `sealing` is the size of the segment that this one replaces, in bytes. */
  const beginSegment = async (sealing: number): Promise<OpenSegment> => {
    const number = last + 1;
    assert(
      number > (segments.at(-1)?.number ?? 0),
      'A new segment must have the highest number: the ledger and the contingent refer to it.',
    );
    const before = since;
    since = takeAnchor(clock);
    const createdAt = since.wallMs;
    const previous = lastAnswered(segments);
    const header = { format: 4, node, columns, createdAt, ...(previous && { previous }) } as const;
    const opened = await createSegment(folder, number, header, disk, ready.take()).catch((error: unknown) => {
      since = before;
      throw error;
    });
    last = number;
    begunMs.set(number, since.monotonicMs);
    segments.push({ number, node, columns, createdAt, firstFrame: opened.offset, end: opened.offset });
    sealedBytes += sealing;
    assertSealedBytes(sealedBytes, segments);
    return opened;
  };

  const rotations: (() => void)[] = [];
  const current = (): Segment => segments.at(-1)!;
  const opened = await beginSegment(0);
  for (const number of recovered.unused) await unlinkIfThere(disk, segmentPath(folder, number));
  const commit = new GroupCommit({
    disk,
    opened,
    segmentBytes: options.segmentBytes,
    nextSegment: async () => {
      const sealed = current();
      assertSize(folder, sealed, sealed.end, disk);
      const next = await beginSegment(sealed.end);
      for (const resolve of rotations.splice(0)) resolve();
      prepareNext(2 * sealed.end);
      return next;
    },
    isNextReady: () => ready.isReady(),
    beforeTrim: (bytes) => assertSize(folder, current(), bytes, disk),
    onDurable: (end, bytes) => {
      assert.equal(
        end,
        current().end + bytes,
        'A segment must grow by exactly the bytes that were written: readers rely on its size.',
      );
      current().end = end;
    },
    toNotes: options.toNotes,
    onGroup: options.onGroup,
    onBroken: options.onBroken,
    log,
  });

  const checkFreeSpace = async () => {
    const freeBytes = await disk.freeBytes(folder);
    const isFull = freeBytes < options.minFreeBytes;
    if (isFull !== isDiskFull) {
      log[isFull ? 'error' : 'info'](
        { freeBytes, minFreeBytes: options.minFreeBytes },
        isFull
          ? 'the disk is almost full: records are refused until there is space'
          : 'the disk has space again',
      );
    }
    isDiskFull = isFull;
  };
  await checkFreeSpace();
  prepareNext(0);
  const checkStall = () => {
    const isStalledNow = commit.oldestUnansweredMs() > stalledAfterMs;
    if (isStalledNow !== isStalled)
      log[isStalledNow ? 'error' : 'info'](
        isStalledNow
          ? 'the disk does not respond: records are refused until it does'
          : 'the disk responds again',
      );
    isStalled = isStalledNow;
  };
  let isAskingForSpace = false;
  const checkTimer = setInterval(() => {
    checkStall();
    // Ask once at a time: each question to a disk that hangs occupies one of Node's few threads.
    if (isAskingForSpace) return;
    isAskingForSpace = true;
    checkFreeSpace()
      .catch((error: unknown) => log.warn({ err: error }, 'cannot read the free disk space'))
      .finally(() => {
        isAskingForSpace = false;
      });
  }, checkMs);
  checkTimer.unref();

  /** The busier the node, the more it needs at a time. */
  function prepareNext(wantedBytes: number): void {
    if (isDiskFull || options.readyBytes === 0) return;
    ready.prepare(Math.min(options.segmentBytes, Math.max(options.readyBytes, wantedBytes)));
  }

  const forget = (segment: Segment) => {
    // Look it up now: this segment or others may have gone in the meantime.
    const index = segments.indexOf(segment);
    if (index === -1) return;
    assert(segment !== current(), 'The segment that is being written must not be forgotten.');
    segments.splice(index, 1);
    begunMs.delete(segment.number);
    sealedBytes -= segment.end;
    assertSealedBytes(sealedBytes, segments);
  };
  const bytes = () => sealedBytes + current().end;
  const hasNoRoom = () => isDiskFull || bytes() >= options.maxBytes;

  /** Returns why no record can be appended now. Otherwise everything is ready for one. */
  const refusal = (): AppendFailure | undefined => {
    if (hasNoRoom() || commit.isDiskRefusing()) return 'journal-full';
    if (isStalled) return 'journal-stalled';
    // How long a key is remembered after a crash follows from the times within its segment.
    if (wasSetSince(clock, since)) commit.wantRotation();
    return undefined;
  };

  return {
    folder,
    node,
    /**
     * Calls `done` once the payload is on disk, or with the reason why it won't be. A mark of 16 bytes gets
     * there together with its payload, or not at all, and so does a note.
     */
    append(payload: string, done: (failure?: AppendFailure) => void, mark?: Uint8Array, note?: string): void {
      const failure = refusal();
      if (failure !== undefined) done(failure);
      else commit.append(payload, done, mark, note);
    },
    /** Calls `done` once a note of the verdict is on disk, or with the reason why it won't be. */
    appendVerdict(verdict: NotedVerdict, done: (failure?: AppendFailure) => void): void {
      const failure = refusal();
      if (failure !== undefined) done(failure);
      else commit.appendVerdict(verdict, done);
    },
    /** Does the same for several records, which are written and become durable together. */
    appendTogether(entries: readonly Entry[]): void {
      const failure = refusal();
      if (failure !== undefined) for (const { done } of entries) done(failure);
      else commit.appendTogether(entries);
    },
    /** Everything before this place is on disk. */
    durable: (): JournalPosition => ({ segment: current().number, offset: current().end }),
    /**
     * The end of the last record. Unlike an empty segment, the segment of that record is kept until the store
     * has it.
     */
    answeredTo: (): JournalPosition =>
      lastAnswered(segments) ?? { segment: current().number, offset: current().end },
    segments: (): readonly Segment[] => segments,
    /** How long ago a segment was begun, whatever the wall clock says since this node started. */
    ageMs: ({ number }: Pick<Segment, 'number'>): number => clock.monotonicMs() - begunMs.get(number)!,
    /** Removes a sealed segment whose records are all in the store. */
    async remove(number: number): Promise<void> {
      const segment = segments.find((candidate) => candidate.number === number);
      if (segment === undefined || segment === current()) return;
      // It may be gone already. In that case someone else has removed it, which is fine here.
      await unlinkIfThere(disk, segmentPath(folder, number));
      await syncFolder(folder, disk);
      forget(segment);
    },
    /**
     * Forgets sealed segments whose files someone else has removed, reports them, and returns how many there
     * were.
     */
    async dropVanished(): Promise<number> {
      const isThere = ({ number }: Segment) => {
        try {
          return disk.statNow(segmentPath(folder, number)) !== undefined;
        } catch {
          // The disk doesn't say, which is no reason to give the segment up.
          return true;
        }
      };
      // If the open segment is missing too, the entire folder was taken away. The next record ends the node,
      // and nothing is lost if the folder is put back.
      if (!isThere(current())) return 0;
      const vanished = segments.filter((segment) => !isThere(segment));
      for (const segment of vanished) {
        await options.damage.report(segmentVanished(segment.number));
        forget(segment);
      }
      return vanished.length;
    },
    /**
     * Seals the current segment, so that it can be removed even if no more records arrive. Returns when the
     * next segment has begun: under steady load the commit is never idle.
     */
    async rotate(): Promise<void> {
      const begun = new Promise<void>((resolve) => rotations.push(resolve));
      await Promise.race([begun, commit.rotate()]);
    },
    bytes,
    /** Whether records are refused for lack of space, as far as is known. */
    isFull: () => hasNoRoom() || commit.isDiskFull(),
    /**
     * Everything that was received by this time is on disk: records wait for the disk in the order in which
     * they were received. Another one may still come in the current millisecond.
     */
    completeUpToMs(): number {
      const oldest = commit.oldestUnanswered();
      return oldest === undefined ? clock.now() - 1 : receivedAtMs(oldest) - 1;
    },
    /** How long the oldest record has waited for the disk. 0 if none is waiting. */
    oldestUnansweredMs: (): number => commit.oldestUnansweredMs(),
    async close(): Promise<void> {
      clearInterval(checkTimer);
      await commit.close();
      await ready.stop();
    },
  };
}

function lastAnswered(segments: readonly Segment[]): JournalPosition | undefined {
  const last = segments.findLast(({ firstFrame, end }) => end > firstFrame);
  return last && { segment: last.number, offset: last.end };
}
