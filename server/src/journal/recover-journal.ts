import { open, stat, truncate } from 'node:fs/promises';
import type { Log } from '../core/log.ts';
import { OperatorError } from '../core/operator-error.ts';
import { writeFully } from '../core/write-fully.ts';
import { readFrames } from './read-frames.ts';
import { listSegments, readSegmentHeader, segmentPath } from './segment-file.ts';

/** A segment as found at the start; `end` is the first byte behind its last whole frame. */
export type Segment = {
  number: number;
  node: string;
  columns: readonly string[];
  createdAt: number;
  firstFrame: number;
  end: number;
};

const rewrittenBytes = 1024 * 1024;

/** `unused` segments hold no record; they may go once a later one exists, so that no number is used twice. */
export type Recovered = { segments: Segment[]; unused: number[]; last: number };

/**
 * Looks at what an earlier process left. The last segment's torn tail is cut, because it was never answered;
 * damage elsewhere is left as it is and reported when it is read.
 */
export async function recoverJournal(folder: string, log: Log): Promise<Recovered> {
  const numbers = await listSegments(folder);
  const segments: Segment[] = [];
  const unused: number[] = [];
  for (const number of numbers) {
    const path = segmentPath(folder, number);
    const { size } = await stat(path);
    const opened = await readSegmentHeader(folder, number);
    if (opened.kind === 'unreadable') throw unreadable(path, opened.why);
    if (opened.kind === 'unfinished') {
      // A damaged length can make a header seem cut off. Only a file without records may go.
      if (await holdsFrames(folder, number, size)) throw unreadable(path, 'its header is damaged');
      unused.push(number);
      continue;
    }
    let end = size;
    if (number === numbers.at(-1)) {
      end = await cutTornTail(folder, number, opened.firstFrame, size, log);
      await writeAgain(path, opened.firstFrame, end);
    }
    if (end === opened.firstFrame) {
      unused.push(number);
      continue;
    }
    const { node, columns, createdAt } = opened.header;
    segments.push({ number, node, columns, createdAt, firstFrame: opened.firstFrame, end });
  }
  return { segments, unused, last: numbers.at(-1) ?? 0 };
}

function unreadable(path: string, why: string): OperatorError {
  return new OperatorError(
    `${path}: ${why}. Move it out of the journal folder to start without its records.`,
  );
}

async function holdsFrames(folder: string, segment: number, size: number): Promise<boolean> {
  for await (const { frames } of readFrames(folder, segment, 0, size)) if (frames.length > 0) return true;
  return false;
}

async function cutTornTail(folder: string, segment: number, from: number, size: number, log: Log) {
  let end = from;
  for await (const { frames } of readFrames(folder, segment, from, size)) end = frames.at(-1)?.next ?? end;
  if (end < size) {
    log.warn({ segment, bytes: size - end }, 'cut the torn tail of the journal: an unanswered write');
    await truncate(segmentPath(folder, segment), end);
  }
  return end;
}

/**
 * Puts what was read on disk for certain. After a write that failed, the system can show bytes that are in its memory only;
 * from now on they are answered for.
 */
async function writeAgain(path: string, from: number, to: number): Promise<void> {
  const file = await open(path, 'r+');
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
