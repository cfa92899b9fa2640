import assert from 'node:assert';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Disk, type DiskFile, localDisk } from '../files/disk.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { writeFully } from '../files/write-fully.ts';
import { OperatorError } from '../operator-error.ts';
import type { JournalPosition } from '../records/journal-position.ts';
import type { ReadyFile } from './ready-segments.ts';

/**
 * The first frame of a segment. It lists the columns so that a later version can load an older segment.
 * Frames can be marked since format 2, since format 3 the first of each group says so, and since format 4 they
 * can have notes. `previous` is where the previous segment ended, so that a loss of bytes there is noticed.
 */
export type SegmentHeader = {
  format: 1 | 2 | 3 | 4;
  node: string;
  columns: readonly string[];
  createdAt: number;
  previous?: JournalPosition;
};

const magic = Buffer.from('TRACKSIDE JOURNAL\n');
const namePattern = /^(\d{10})\.segment$/;
const asidePattern = /^(\d{10})\.segment\.damaged-/;
const maxHeaderBytes = 64 * 1024;
/** A file that is where it was is looked up by its name this often, too. */
const lookEveryMs = 1000;
const readFormats: readonly number[] = [1, 2, 3, 4];

/**
 * A frame is a length (4 bytes), a CRC-32 (4 bytes), both little-endian, and the payload. If the length's
 * highest bit is set, a mark of 16 bytes comes before the payload. The next bit is set in the first frame of a
 * group. The one after that says that a note and a line feed precede the payload, which is empty in a frame
 * that is only a note. Length and CRC cover all of it.
 */
export const frameHeaderBytes = 8;
export const markBytes = 16;
export const maxPayloadBytes = 1024 * 1024;

const markedBit = 0x8000_0000;
const firstBit = 0x4000_0000;
const notedBit = 0x2000_0000;
const lengthBits = 0x1fff_ffff;
/**
 * The initial values for the CRC of a marked frame, of a group's first one and of one with a note. Without
 * them, flipping one of these bits would result in a valid frame of another kind.
 */
const markedCrc = 0x6d61_726b;
const firstCrc = 0x6669_7273;
const notedCrc = 0x6e6f_7465;
const lineFeed = 0x0a;

export function segmentPath(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(10, '0')}.segment`);
}

export async function listSegments(folder: string, disk: Disk = localDisk): Promise<number[]> {
  return await listNumbers(folder, namePattern, disk);
}

/** The numbers of segments that were set aside. They are never used again. */
export async function listSetAside(folder: string, disk: Disk): Promise<number[]> {
  return await listNumbers(folder, asidePattern, disk);
}

async function listNumbers(folder: string, pattern: RegExp, disk: Disk): Promise<number[]> {
  const names = await disk.readdir(folder);
  return names
    .map((name) => pattern.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Takes a segment out of the journal without deleting it, and returns its new path. */
export async function setSegmentAside(
  folder: string,
  segment: number,
  nowMs: number,
  disk: Disk,
): Promise<string> {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  const aside = `${segmentPath(folder, segment)}.damaged-${stamp}`;
  await disk.rename(segmentPath(folder, segment), aside);
  await syncFolder(folder, disk);
  return aside;
}

/** The bytes at the beginning of a segment. Records are written only once these are on disk. */
export function headerBytesOf(header: SegmentHeader): Buffer {
  const text = JSON.stringify(header);
  const bytes = Buffer.alloc(magic.length + frameHeaderBytes + Buffer.byteLength(text));
  magic.copy(bytes);
  writeFrame(bytes, magic.length, text);
  return bytes;
}

/**
 * Creates a segment whose folder entry and header are on disk. Returns the file and the first free byte.
 * `findFault` reports when the path no longer leads to this file: whatever is written to it then is gone with
 * the process.
 */
export async function createSegment(
  folder: string,
  segment: number,
  header: SegmentHeader,
  disk: Disk,
  ready?: ReadyFile,
) {
  const filled = ready && (await fillReady(folder, segment, header, disk, ready));
  if (filled !== undefined) return filled;
  // With O_DSYNC a write returns when its data is on disk. This combines write and fdatasync in one call,
  // with one trip to another thread.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;
  const file = await disk.open(segmentPath(folder, segment), flags, 0o600);
  const bytes = headerBytesOf(header);
  try {
    await writeFully(file, bytes, 0);
    await syncFolder(folder, disk);
  } catch (error) {
    // If there is no space for its header, the file must not get in the way of the next attempt.
    await file.close();
    await disk.unlink(segmentPath(folder, segment)).catch(() => {});
    throw error;
  }
  const { size } = await disk.stat(segmentPath(folder, segment));
  assert.equal(size, bytes.length, 'A new segment must contain only its header: records begin after it.');
  const findFault = await watchPath(file, folder, segment, disk);
  return { file, offset: bytes.length, reservedTo: 0, findFault };
}

/**
 * Turns a file of zeros into a segment. It gets its name once its header is on disk, so that a segment never
 * lacks one. Returns undefined if somebody has removed the file.
 */
async function fillReady(
  folder: string,
  segment: number,
  header: SegmentHeader,
  disk: Disk,
  { file, path, bytes: reservedTo }: ReadyFile,
) {
  const bytes = headerBytesOf(header);
  const own = segmentPath(folder, segment);
  let at = path;
  try {
    await writeFully(file, bytes, 0);
    assert.equal(
      disk.statNow(own),
      undefined,
      'A new segment must not replace another one: its records would be gone.',
    );
    await disk.rename(path, own);
    at = own;
    await syncFolder(folder, disk);
  } catch (error) {
    await file.close();
    if (at === path && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    await disk.unlink(at).catch(() => {});
    throw error;
  }
  const findFault = await watchPath(file, folder, segment, disk);
  return { file, offset: bytes.length, reservedTo, findFault };
}

/**
 * Returns what reports when a segment's path no longer leads to the same file. It is called after each group, so
 * it mostly asks where the file is, and whose folder that is, but not for the file's own facts: once they have
 * been asked for, Linux gives the next write a time of its own, and writes that down too.
 */
async function watchPath(file: DiskFile, folder: string, segment: number, disk: Disk) {
  const path = segmentPath(folder, segment);
  const place = disk.placeNow(file.fd);
  // The facts of the open file, because there may be another one at its path already.
  const own = await file.stat();
  const home = await disk.stat(folder);
  let lookedMs = Number.NEGATIVE_INFINITY;
  const isAt = (where: string, { dev, ino }: { dev: number; ino: number }) => {
    const there = disk.statNow(where);
    return there?.ino === ino && there.dev === dev;
  };
  // Something that is mounted on the folder hides the file without moving it.
  const isWhereItWas = () =>
    place !== undefined &&
    performance.now() - lookedMs <= lookEveryMs &&
    isAt(folder, home) &&
    disk.placeNow(file.fd) === place;
  const isAtPath = () => {
    lookedMs = performance.now();
    return isAt(path, own);
  };
  // A folder that was moved and linked to from its old place changes the file's place, but not its facts.
  const isThere = () => isWhereItWas() || isAtPath();
  return (): Error | undefined => {
    try {
      if (isThere()) return undefined;
    } catch {
      // The file can't be reached, which amounts to the same.
    }
    return new OperatorError(
      `${path} was removed or replaced while the server was using it, ` +
        'or its disk was unmounted. Put the data folder back in its place, then start the server again.',
    );
  };
}

export type OpenedSegment =
  | { kind: 'readable'; header: SegmentHeader; firstFrame: number }
  | { kind: 'unfinished' } // created, but the process died before its header was on disk
  | { kind: 'newer'; why: string }
  /** `isOurs` says that a power cut while the file was being created can have left it like this. */
  | { kind: 'unreadable'; why: string; isOurs: boolean };

export async function readSegmentHeader(
  folder: string,
  segment: number,
  disk: Disk = localDisk,
): Promise<OpenedSegment> {
  const file = await disk.open(segmentPath(folder, segment), 'r');
  try {
    const buffer = Buffer.alloc(maxHeaderBytes);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    // After a power cut, a file that already has its length but not its bytes contains zeros.
    if (bytesRead < magic.length + frameHeaderBytes || bytes.every((byte) => byte === 0))
      return { kind: 'unfinished' };
    if (!bytes.subarray(0, magic.length).equals(magic))
      // What the disk hasn't written yet is zeros.
      return { kind: 'unreadable', why: 'not a journal segment', isOurs: bytes[0] === 0 };
    const frame = readFrame(bytes, magic.length);
    if (frame.kind === 'short') return { kind: 'unfinished' };
    if (frame.kind === 'damaged') return { kind: 'unreadable', why: 'its header is damaged', isOurs: true };
    const header: SegmentHeader = JSON.parse(bytes.toString('utf8', frame.start, frame.end));
    if (!readFormats.includes(header.format))
      return { kind: 'newer', why: `its format ${header.format} comes from a newer version` };
    return { kind: 'readable', header, firstFrame: frame.end };
  } finally {
    await file.close();
  }
}

/**
 * Writes one frame at `offset` and returns its size. The caller must have made room for the longest UTF-8
 * form of `payload` and `note`. A note is JSON that begins with `["`, as payloads do.
 */
export function writeFrame(
  buffer: Buffer,
  offset: number,
  payload: string,
  mark?: Uint8Array,
  isFirst = false,
  note?: string,
): number {
  const start = offset + frameHeaderBytes;
  let length = 0;
  if (mark !== undefined) {
    buffer.set(mark, start);
    length = markBytes;
  }
  if (note !== undefined) length += buffer.write(`${note}\n`, start + length);
  length += buffer.write(payload, start + length);
  const kind =
    (mark === undefined ? 0 : markedBit) + (isFirst ? firstBit : 0) + (note === undefined ? 0 : notedBit);
  buffer.writeUInt32LE(length + kind, offset);
  buffer.writeUInt32LE(crc32(buffer.subarray(start, start + length), crcBefore(kind)), offset + 4);
  return frameHeaderBytes + length;
}

export type FrameAt =
  | {
      kind: 'whole';
      start: number;
      end: number;
      mark: number | undefined;
      note: number | undefined;
      isFirst: boolean;
    }
  | { kind: 'short' }
  | { kind: 'damaged' };

/**
 * Reads the frame that begins at `offset`: it is whole, cut off by the end of the buffer, or damaged. `start`
 * is where the payload begins, `mark` is where the mark begins, and `note` where the note does, if there is
 * one. `isFirst` says that a group begins with it.
 */
export function readFrame(buffer: Buffer, offset: number): FrameAt {
  if (offset + frameHeaderBytes > buffer.length) return { kind: 'short' };
  const word = buffer.readUInt32LE(offset);
  const isMarked = word >= markedBit;
  const isFirst = (word & firstBit) !== 0;
  const isNoted = (word & notedBit) !== 0;
  const length = word & lengthBits;
  const before = isMarked ? markBytes : 0;
  // A file that has grown but was never written has a length of 0 here. None of our frames is empty.
  if (length <= before || length > maxPayloadBytes) return { kind: 'damaged' };
  const first = offset + frameHeaderBytes;
  const end = first + length;
  if (end > buffer.length) return { kind: 'short' };
  const crc = crc32(buffer.subarray(first, end), crcBefore(word - length));
  if (crc !== buffer.readUInt32LE(offset + 4)) return { kind: 'damaged' };
  const mark = isMarked ? first : undefined;
  const note = isNoted ? first + before : undefined;
  const start = note === undefined ? first + before : buffer.indexOf(lineFeed, note) + 1;
  return { kind: 'whole', start, end, mark, note, isFirst };
}

/** `kind` has the bits that are set beside the length. */
function crcBefore(kind: number): number {
  const marked = kind >= markedBit ? markedCrc : 0;
  return (marked ^ (kind & firstBit ? firstCrc : 0) ^ (kind & notedBit ? notedCrc : 0)) >>> 0;
}
