import { open } from 'node:fs/promises';
import { frameHeaderBytes, markBytes, maxPayloadBytes, readFrame, segmentPath } from './segment-file.ts';

/**
 * Payloads stand in `bytes` from `start` to `end`, the mark of a marked frame from `mark` on; `offset` and
 * `next` are the frame's bounds in the file.
 */
export type Frame = {
  bytes: Buffer;
  start: number;
  end: number;
  mark: number | undefined;
  offset: number;
  next: number;
};

/** What one read gave: whole frames, and how much of the file was skipped because it is damaged. */
export type FrameChunk = { frames: Frame[]; next: number; damagedBytes: number; damagedPlaces: number };

const chunkBytes = 64 * 1024;
/** Large enough to hold any frame whole, wherever in it the reading begins. */
const largeChunkBytes = 2 * (frameHeaderBytes + maxPayloadBytes);

/**
 * Reads the frames of a segment from `from` up to `to`, a hundred or so at a time, so that a caller on the
 * event loop never holds it up for long. A chunk is good until the next one is asked for: its memory is used
 * again. Damage in the middle is skipped to the next whole frame, and counted. A frame that is cut off by
 * `to` ends the reading: `next` of the last chunk says where. A `from` behind `to`, which a truncated segment
 * leads to, gives nothing.
 */
export async function* readFrames(
  folder: string,
  segment: number,
  from: number,
  to: number,
): AsyncGenerator<FrameChunk> {
  if (from >= to) return;
  const file = await open(segmentPath(folder, segment), 'r');
  try {
    let offset = from;
    let wanted = chunkBytes;
    let buffer = Buffer.allocUnsafeSlow(Math.min(wanted, to - offset));
    while (offset < to) {
      const length = Math.min(wanted, to - offset);
      if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await file.read(buffer, 0, length, offset);
      if (bytesRead === 0) return;
      const isLast = offset + bytesRead >= to || bytesRead < length;
      const chunk = splitFrames(buffer.subarray(0, bytesRead), offset, isLast);
      if (chunk.next === offset && !isLast) {
        wanted = largeChunkBytes;
        continue;
      }
      wanted = chunkBytes;
      yield chunk;
      if (chunk.next === offset) return;
      offset = chunk.next;
    }
  } finally {
    await file.close();
  }
}

function splitFrames(bytes: Buffer, base: number, isLast: boolean): FrameChunk {
  const frames: Frame[] = [];
  let at = 0;
  let damagedBytes = 0;
  let damagedPlaces = 0;
  while (at < bytes.length) {
    const frame = readFrame(bytes, at);
    if (frame.kind === 'whole') {
      const { start, end, mark } = frame;
      frames.push({ bytes, start, end, mark, offset: base + at, next: base + end });
      at = end;
      continue;
    }
    // A length that was hit by damage can reach past the file: at the very end, look for a frame behind it as
    // well.
    if (frame.kind === 'short' && !isLast) break;
    const found = findFrame(bytes, at + 1);
    if (found === undefined) {
      if (isLast || at > 0 || bytes.length < largeChunkBytes) break;
      // A whole large chunk of damage: step over it, but keep what a frame across the border would need.
      at = bytes.length - frameHeaderBytes - maxPayloadBytes;
      damagedBytes += at;
      break;
    }
    damagedBytes += found - at;
    damagedPlaces += 1;
    at = found;
  }
  return { frames, next: base + at, damagedBytes, damagedPlaces };
}

/**
 * Payloads begin with `["`, which makes trying every byte cheap; a mark may stand between them and the
 * frame's header.
 */
function findFrame(bytes: Buffer, from: number): number | undefined {
  for (let payload = bytes.indexOf('["', from + frameHeaderBytes); payload !== -1; ) {
    const unmarked = payload - frameHeaderBytes;
    const marked = unmarked - markBytes;
    if (marked >= from && readFrame(bytes, marked).kind === 'whole') return marked;
    if (readFrame(bytes, unmarked).kind === 'whole') return unmarked;
    payload = bytes.indexOf('["', payload + 1);
  }
  return undefined;
}
