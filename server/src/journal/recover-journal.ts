import { setTimeout as delay } from 'node:timers/promises';
import type { DamageLog } from '../damage/damage-log.ts';
import type { Disk } from '../files/disk.ts';
import { secondLookMs } from '../files/read-past-faults.ts';
import { writeFully } from '../files/write-fully.ts';
import type { Log } from '../log.ts';
import { OperatorError } from '../operator-error.ts';
import type { JournalPosition } from '../records/journal-position.ts';
import { earlierRecordColumns } from '../records/record-columns.ts';
import type { Clock } from '../time/clock.ts';
import { findEnd } from './find-end.ts';
import { type AnsweredTo, findLostEnds } from './find-lost-ends.ts';
import { hasUnwrittenSector } from './has-unwritten-sector.ts';
import { headerMended, segmentSetAside, toldLoss } from './journal-damage.ts';
import { readAllFrames } from './read-frames.ts';
import { readHeadless } from './read-headless.ts';
import {
  headerBytesOf,
  listSegments,
  listSetAside,
  type OpenedSegment,
  readSegmentHeader,
  segmentPath,
  setSegmentAside,
} from './segment-file.ts';

/** A segment as found at the start. `end` is the first byte that is no longer read. */
export type Segment = {
  number: number;
  node: string;
  columns: readonly string[];
  createdAt: number;
  firstFrame: number;
  end: number;
};

export type RecoverOptions = {
  disk: Disk;
  folder: string;
  node: string;
  columns: readonly string[];
  /** Places up to which records were answered, as the ledger and the contingent remember them. */
  answered: readonly AnsweredTo[];
  clock: Clock;
  log: Log;
  damage: Pick<DamageLog, 'report'>;
};

/**
 * `unused` segments have no records. They may be removed once a later segment exists, so that no number is
 * used twice.
 */
export type Recovered = { segments: Segment[]; unused: number[]; last: number };

type Found = { number: number; size: number; opened: OpenedSegment };

const rewrittenBytes = 1024 * 1024;

/**
 * Reads what an earlier process left, and never fails because of damage. The torn tail of the last segment is
 * cut off if it was never answered. Damaged frames stay where they are, and are reported when they are read.
 * A segment without a readable header is read with the columns of its neighbors, or set aside. All answered
 * records that are gone are reported.
 */
export async function recoverJournal(options: RecoverOptions): Promise<Recovered> {
  const { disk, folder, log, damage } = options;
  const found: Found[] = [];
  for (const number of await listSegments(folder, disk)) found.push(await lookTwice(disk, folder, number));
  await leaveOutZeros(disk, folder, found.at(-1));
  const stored = options.answered.filter(({ isStored }) => isStored);
  const answered = [...options.answered, ...previousEnds(found)].map((place) => ({
    ...place,
    isStored: stored.some(({ segment, offset }) => segment === place.segment && offset >= place.offset),
  }));
  const answeredIn = (segment: number) =>
    Math.max(0, ...answered.filter((place) => place.segment === segment).map(({ offset }) => offset));

  const segments: Segment[] = [];
  const unused: number[] = [];
  /** A segment that was set aside has been reported, so its end doesn't count as missing. */
  const whole = (await listSetAside(folder, disk)).map((number) => ({
    number,
    end: Number.POSITIVE_INFINITY,
  }));
  const setAside = async (number: number, why: string) => {
    const path = await setSegmentAside(folder, number, options.clock.now(), disk);
    await damage.report(segmentSetAside(number, why, path));
    whole.push({ number, end: Number.POSITIVE_INFINITY });
  };

  for (const [index, { number, size, opened }] of found.entries()) {
    const wasAnswered = (firstFrame: number) => answeredIn(number) > firstFrame;
    let segment: Omit<Segment, 'number' | 'end'>;
    let hasGroups = false;
    if (opened.kind === 'readable') {
      const { node, columns, createdAt } = opened.header;
      segment = { node, columns, createdAt, firstFrame: opened.firstFrame };
      hasGroups = opened.header.format >= 3;
    } else {
      const headless = await readHeadless(
        folder,
        number,
        size,
        candidates(found, index, options.columns),
        disk,
      );
      if (headless.kind !== 'records') {
        if (isTorn(opened) && isUnfinished(options, size) && !wasAnswered(0)) {
          unused.push(number);
          whole.push({ number, end: size });
        } else
          await setAside(number, headless.kind === 'no-records' ? whyOf(opened) : 'its columns are unknown');
        continue;
      }
      const { columns, createdAt, firstFrame } = headless;
      segment = { node: options.node, columns, createdAt, firstFrame };
      await damage.report(headerMended(number));
    }
    const isLast = index === found.length - 1;
    const { wholeEnd, cutAt, canRead } = isLast
      ? await findWholeEnd(disk, { folder, number, from: segment.firstFrame, size, hasGroups })
      : { wholeEnd: size, cutAt: size, canRead: true };
    // What was answered stays, even if it can't be read.
    const keptTo = cutAt >= answeredIn(number) ? cutAt : wholeEnd;
    let end = size;
    if (keptTo < size && keptTo >= answeredIn(number) && canRead) {
      log.warn(
        { segment: number, bytes: size - keptTo },
        'removed an unfinished write that was never acknowledged',
      );
      await cut(disk, segmentPath(folder, number), keptTo);
      end = keptTo;
    } else if (isLast && canRead) {
      // Also without zeros: an earlier process may have cut them off, and a power cut could bring them back.
      await cut(disk, segmentPath(folder, number), size);
    }
    if (end === segment.firstFrame) {
      if (wasAnswered(segment.firstFrame)) await setAside(number, 'its records are gone');
      else {
        unused.push(number);
        whole.push({ number, end });
      }
      continue;
    }
    if (isLast && canRead) await writeAgain(disk, segmentPath(folder, number), segment.firstFrame, end);
    segments.push({ number, ...segment, end });
    whole.push({ number, end: Math.min(wholeEnd, end) });
  }
  const inOrder = whole.toSorted((a, b) => a.number - b.number);
  for (const lost of findLostEnds(inOrder, answered)) await damage.report(toldLoss(lost));
  const known = [...found, ...whole].map(({ number }) => number);
  return { segments, unused, last: Math.max(0, ...known, ...answered.map(({ segment }) => segment)) };
}

async function lookTwice(disk: Disk, folder: string, number: number): Promise<Found> {
  const found = await look(disk, folder, number);
  if (found.opened.kind !== 'unreadable' || found.opened.why !== unreadableBy('EIO')) return found;
  await delay(secondLookMs);
  return await look(disk, folder, number);
}

/** The last segment may have zeros for frames to come. */
async function leaveOutZeros(disk: Disk, folder: string, last: Found | undefined): Promise<void> {
  if (last?.opened.kind !== 'readable') return;
  try {
    last.size = await findEnd(disk, segmentPath(folder, last.number), last.size);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
  }
}

const unreadableBy = (code: string) => `it can't be read (${code})`;

async function look(disk: Disk, folder: string, number: number): Promise<Found> {
  const path = segmentPath(folder, number);
  try {
    const { size } = await disk.stat(path);
    const opened = await readSegmentHeader(folder, number, disk);
    if (opened.kind === 'newer')
      throw new OperatorError(
        `${path}: ${opened.why}. Start that version, or move the file out of the folder.`,
      );
    return { number, size, opened };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM')
      throw new OperatorError(
        `${path} can't be read by this user (${code}). Make the server's user its owner.`,
      );
    // There is a directory in its place, or the disk can't read it.
    if (code === 'EISDIR' || code === 'EIO')
      return {
        number,
        size: 0,
        opened: { kind: 'unreadable', why: unreadableBy(code), isOurs: false },
      };
    throw error;
  }
}

/** Where each segment's header says that the one before it ended. */
function previousEnds(found: readonly Found[]): JournalPosition[] {
  return found
    .map(({ opened }) => (opened.kind === 'readable' ? opened.header.previous : undefined))
    .filter((previous) => previous !== undefined);
}

/** The columns of the nearest segments before and after, and those that this version writes. */
function candidates(found: readonly Found[], index: number, own: readonly string[]): (readonly string[])[] {
  const columnsOf = ({ opened }: Found) => (opened.kind === 'readable' ? opened.header.columns : undefined);
  const before = found
    .slice(0, index)
    .map(columnsOf)
    .findLast((columns) => columns !== undefined);
  const after = found
    .slice(index + 1)
    .map(columnsOf)
    .find((columns) => columns !== undefined);
  return [before, after, own, ...earlierRecordColumns].filter((columns) => columns !== undefined);
}

/**
 * Whether the process may have died while it was creating the file. No record is written before the header is
 * on disk.
 */
function isUnfinished({ node, columns, clock }: RecoverOptions, size: number): boolean {
  const previous = { segment: Number.MAX_SAFE_INTEGER, offset: Number.MAX_SAFE_INTEGER };
  return size <= headerBytesOf({ format: 4, node, columns, createdAt: clock.now(), previous }).length;
}

/** Whether a power cut while the file was being created can have left it like this. */
function isTorn(opened: OpenedSegment): boolean {
  return opened.kind === 'unfinished' || (opened.kind === 'unreadable' && opened.isOurs);
}

function whyOf(opened: OpenedSegment): string {
  return opened.kind === 'unreadable' ? opened.why : 'its header is damaged';
}

/**
 * `wholeEnd` is where the last whole frame ends. `cutAt` is where the part of the last group ends that was
 * written: when the power is cut, the disk may have written the end of a group before its beginning.
 */
async function findWholeEnd(
  disk: Disk,
  {
    folder,
    number,
    from,
    size,
    hasGroups,
  }: { folder: string; number: number; from: number; size: number; hasGroups: boolean },
) {
  let wholeEnd = from;
  let gap: { from: number; to: number } | undefined;
  try {
    for await (const { frames } of readAllFrames(folder, number, from, size, disk)) {
      for (const { offset, next, isFirst } of frames) {
        // A group is written once the one before it is on disk. So a gap before it is damage.
        if (isFirst || !hasGroups) gap = undefined;
        else if (offset > wholeEnd) gap ??= { from: wholeEnd, to: offset };
        wholeEnd = next;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
    return { wholeEnd, cutAt: wholeEnd, canRead: false };
  }
  const path = segmentPath(folder, number);
  const isTorn = gap !== undefined && (await hasUnwrittenSector(disk, path, gap.from, gap.to));
  return { wholeEnd, cutAt: gap !== undefined && isTorn ? gap.from : wholeEnd, canRead: true };
}

async function cut(disk: Disk, path: string, end: number): Promise<void> {
  const file = await disk.open(path, 'r+');
  try {
    await file.truncate(end);
    // Otherwise a power cut could bring the bytes back when the segment is no longer the last one.
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Makes sure that what was read is on disk. After a failed write, the system can show bytes that are only in
 * its memory, but from now on these count as answered.
 */
async function writeAgain(disk: Disk, path: string, from: number, to: number): Promise<void> {
  const file = await disk.open(path, 'r+');
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(rewrittenBytes, to - from));
    for (let at = from; at < to; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
      if (bytesRead === 0) break;
      await writeFully(file, buffer.subarray(0, bytesRead), at);
      at += bytesRead;
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}
