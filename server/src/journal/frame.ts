import { crc32 } from 'node:zlib';

/**
 * A frame is a length (4 bytes), a CRC-32 (4 bytes), both little-endian, and the payload. With the length's highest bit
 * set, a mark of 16 bytes stands in front of the payload; length and CRC cover both.
 */
export const frameHeaderBytes = 8;
export const markBytes = 16;
export const maxPayloadBytes = 1024 * 1024;

const markedBit = 0x8000_0000;
/** What the CRC of a marked frame goes on from: else a flip of that bit would pass for a frame with another beginning. */
const markedCrc = 0x6d61_726b;

/** Writes one frame at `offset` and returns its size. The caller has made room for the longest UTF-8 of `payload`. */
export function writeFrame(buffer: Buffer, offset: number, payload: string, mark?: Uint8Array): number {
  const start = offset + frameHeaderBytes;
  if (mark !== undefined) buffer.set(mark, start);
  const before = mark === undefined ? 0 : markBytes;
  const length = before + buffer.write(payload, start + before);
  const crc = crc32(buffer.subarray(start, start + length), mark === undefined ? 0 : markedCrc);
  buffer.writeUInt32LE(mark === undefined ? length : length + markedBit, offset);
  buffer.writeUInt32LE(crc, offset + 4);
  return frameHeaderBytes + length;
}

export type FrameAt =
  | { kind: 'whole'; start: number; end: number; mark: number | undefined }
  | { kind: 'short' }
  | { kind: 'damaged' };

/**
 * Looks at the frame that begins at `offset`: whole, cut off by the buffer's end, or damaged. `start` is where the
 * payload begins, `mark` where the mark does, if there is one.
 */
export function readFrame(buffer: Buffer, offset: number): FrameAt {
  if (offset + frameHeaderBytes > buffer.length) return { kind: 'short' };
  const word = buffer.readUInt32LE(offset);
  const isMarked = word >= markedBit;
  const length = isMarked ? word - markedBit : word;
  const before = isMarked ? markBytes : 0;
  // A length of 0 is what a file grown but never written looks like: no frame of ours is empty.
  if (length <= before || length > maxPayloadBytes) return { kind: 'damaged' };
  const first = offset + frameHeaderBytes;
  const end = first + length;
  if (end > buffer.length) return { kind: 'short' };
  const crc = crc32(buffer.subarray(first, end), isMarked ? markedCrc : 0);
  if (crc !== buffer.readUInt32LE(offset + 4)) return { kind: 'damaged' };
  return { kind: 'whole', start: first + before, end, mark: isMarked ? first : undefined };
}
