import { type Disk, localDisk } from '../files/disk.ts';
import { readPayloadStart } from './payload-start.ts';
import { isOnlyNote, readAllFrames } from './read-frames.ts';

/** What the records in a segment reveal about it when its header is gone. */
export type Headless =
  | { kind: 'records'; columns: readonly string[]; createdAt: number; firstFrame: number }
  | { kind: 'no-records' }
  | { kind: 'unknown-columns' };

/**
 * Looks for records in a segment without a readable header. Every frame has its own checksum, so only the
 * list of columns is missing. It is one of `candidates`, unless two of them have as many columns as the
 * records.
 */
export async function readHeadless(
  folder: string,
  segment: number,
  size: number,
  candidates: readonly (readonly string[])[],
  disk: Disk = localDisk,
): Promise<Headless> {
  let firstFrame: number | undefined;
  for await (const { frames } of readAllFrames(folder, segment, 0, size, disk)) {
    firstFrame ??= frames[0]?.offset;
    const first = frames.find((frame) => !isOnlyNote(frame));
    if (first === undefined) continue;
    const values: unknown[] = JSON.parse(first.bytes.toString('utf8', first.start, first.end));
    const fitting = new Map(
      candidates
        .filter(({ length }) => length === values.length)
        .map((columns) => [columns.join(), columns] as const),
    );
    const [columns] = fitting.values();
    if (columns === undefined || fitting.size > 1) return { kind: 'unknown-columns' };
    const createdAt = Date.parse(`${readPayloadStart(first).receivedAt.replace(' ', 'T')}Z`);
    return { kind: 'records', columns, createdAt, firstFrame: firstFrame! };
  }
  return { kind: 'no-records' };
}
