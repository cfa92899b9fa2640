import { constants } from 'node:fs';
import { open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../core/sync-folder.ts';
import { writeFully } from '../core/write-fully.ts';
import { frameHeaderBytes, readFrame, writeFrame } from './frame.ts';

/**
 * The first frame of a segment. Columns are written down so that a later version can load an older segment. Frames can be
 * marked since format 2.
 */
export type SegmentHeader = { format: 1 | 2; node: string; columns: readonly string[]; createdAt: number };

const magic = Buffer.from('TRACKSIDE JOURNAL\n');
const namePattern = /^(\d{10})\.segment$/;
const maxHeaderBytes = 64 * 1024;
const readFormats: readonly number[] = [1, 2];

export function segmentPath(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(10, '0')}.segment`);
}

export async function listSegments(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .map((name) => namePattern.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Creates a segment that is safely in its folder, with its header synced; returns the descriptor and the first free byte. */
export async function createSegment(folder: string, segment: number, header: SegmentHeader) {
  // With O_DSYNC a write returns when its data is on disk: write and fdatasync in one call, one trip to another thread.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;
  const file = await open(segmentPath(folder, segment), flags, 0o600);
  const text = JSON.stringify(header);
  const bytes = Buffer.alloc(magic.length + frameHeaderBytes + Buffer.byteLength(text));
  magic.copy(bytes);
  writeFrame(bytes, magic.length, text);
  try {
    await writeFully(file, bytes, 0);
    await syncFolder(folder);
  } catch (error) {
    // Without space for its header it must not stand in the way of the next attempt.
    await file.close();
    await unlink(segmentPath(folder, segment)).catch(() => {});
    throw error;
  }
  return { file, offset: bytes.length };
}

export type OpenedSegment =
  | { kind: 'readable'; header: SegmentHeader; firstFrame: number }
  | { kind: 'unfinished' } // created, but the process died before its header was on disk
  | { kind: 'unreadable'; why: string };

export async function readSegmentHeader(folder: string, segment: number): Promise<OpenedSegment> {
  const file = await open(segmentPath(folder, segment), 'r');
  try {
    const buffer = Buffer.alloc(maxHeaderBytes);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytesRead < magic.length + frameHeaderBytes) return { kind: 'unfinished' };
    if (!bytes.subarray(0, magic.length).equals(magic))
      return { kind: 'unreadable', why: 'not a journal segment' };
    const frame = readFrame(bytes, magic.length);
    if (frame.kind === 'short') return { kind: 'unfinished' };
    if (frame.kind === 'damaged') return { kind: 'unreadable', why: 'its header is damaged' };
    const header: SegmentHeader = JSON.parse(bytes.toString('utf8', frame.start, frame.end));
    if (!readFormats.includes(header.format))
      return { kind: 'unreadable', why: `format ${header.format} is of a newer version` };
    return { kind: 'readable', header, firstFrame: frame.end };
  } finally {
    await file.close();
  }
}
