import { crc32 } from 'node:zlib';

/** A frame is the payload's length (4 bytes), its CRC-32 (4 bytes), both little-endian, and the payload. */
export const frameHeaderBytes = 8;
export const maxPayloadBytes = 1024 * 1024;

/** Writes one frame at `offset` and returns its size. The caller has made room for the longest UTF-8 of `payload`. */
export function writeFrame(buffer: Buffer, offset: number, payload: string): number {
  const start = offset + frameHeaderBytes;
  const length = buffer.write(payload, start);
  buffer.writeUInt32LE(length, offset);
  buffer.writeUInt32LE(crc32(buffer.subarray(start, start + length)), offset + 4);
  return frameHeaderBytes + length;
}

export type FrameAt = { kind: 'whole'; start: number; end: number } | { kind: 'short' } | { kind: 'damaged' };

/** Looks at the frame that begins at `offset`: whole, cut off by the buffer's end, or damaged. */
export function readFrame(buffer: Buffer, offset: number): FrameAt {
  if (offset + frameHeaderBytes > buffer.length) return { kind: 'short' };
  const length = buffer.readUInt32LE(offset);
  // A length of 0 is what a file grown but never written looks like: no frame of ours is empty.
  if (length === 0 || length > maxPayloadBytes) return { kind: 'damaged' };
  const start = offset + frameHeaderBytes;
  const end = start + length;
  if (end > buffer.length) return { kind: 'short' };
  if (crc32(buffer.subarray(start, end)) !== buffer.readUInt32LE(offset + 4)) return { kind: 'damaged' };
  return { kind: 'whole', start, end };
}
