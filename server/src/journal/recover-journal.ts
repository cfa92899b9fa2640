import { stat, truncate } from 'node:fs/promises';
import type { Log } from '../core/log.ts';
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
    const opened = await readSegmentHeader(folder, number);
    if (opened.kind === 'unreadable') {
      throw new Error(
        `${path}: ${opened.why}. Move it out of the journal folder to start without its records.`,
      );
    }
    if (opened.kind === 'unfinished') {
      unused.push(number);
      continue;
    }
    const { size } = await stat(path);
    let end = size;
    if (number === numbers.at(-1)) end = await cutTornTail(folder, number, opened.firstFrame, size, log);
    if (end === opened.firstFrame) {
      unused.push(number);
      continue;
    }
    const { node, columns, createdAt } = opened.header;
    segments.push({ number, node, columns, createdAt, firstFrame: opened.firstFrame, end });
  }
  return { segments, unused, last: numbers.at(-1) ?? 0 };
}

async function cutTornTail(folder: string, segment: number, from: number, size: number, log: Log) {
  let end = from;
  for await (const chunk of readFrames(folder, segment, from, size)) end = chunk.next;
  if (end < size) {
    log.warn({ segment, bytes: size - end }, 'cut the torn tail of the journal: an unanswered write');
    await truncate(segmentPath(folder, segment), end);
  }
  return end;
}
