import { stat } from 'node:fs/promises';
import { localDisk } from '../files/disk.ts';
import { earlierRecordColumns, recordColumns } from '../records/record-columns.ts';
import { findEnd } from './find-end.ts';
import { readHeadless } from './read-headless.ts';
import type { Segment } from './recover-journal.ts';
import { listSegments, readSegmentHeader, segmentPath } from './segment-file.ts';

/** Reads the segments of a folder while another process may be writing to it and removing from it. */
export async function readSegments(folder: string): Promise<Segment[]> {
  const segments: Segment[] = [];
  const headless: number[] = [];
  const read = async (number: number, readOne: (number: number) => Promise<Segment | undefined>) => {
    const segment = await readOne(number).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (segment !== undefined) segments.push(segment);
    return segment;
  };
  for (const number of await listSegments(folder)) {
    if ((await read(number, (one) => readWithHeader(folder, one))) === undefined) headless.push(number);
  }
  const neighbors = [...segments];
  for (const number of headless) await read(number, (one) => readWithoutHeader(folder, one, neighbors));
  return segments.sort((a, b) => a.number - b.number);
}

async function readWithHeader(folder: string, number: number): Promise<Segment | undefined> {
  const opened = await readSegmentHeader(folder, number);
  if (opened.kind !== 'readable') return undefined;
  const { node, columns, createdAt } = opened.header;
  const size = await endOf(folder, number);
  return { number, node, columns, createdAt, firstFrame: opened.firstFrame, end: size };
}

/** Reads the segment by its neighbors' columns, as the server does at its start. */
async function readWithoutHeader(folder: string, number: number, neighbors: readonly Segment[]) {
  const size = await endOf(folder, number);
  const candidates = [recordColumns, ...earlierRecordColumns, ...neighbors.map(({ columns }) => columns)];
  const found = await readHeadless(folder, number, size, candidates);
  if (found.kind !== 'records') return undefined;
  const { columns, createdAt, firstFrame } = found;
  return { number, node: neighbors.at(-1)?.node ?? '', columns, createdAt, firstFrame, end: size };
}

/** The segment that is being written may have zeros behind its last frame. */
export async function endOf(folder: string, number: number): Promise<number> {
  const path = segmentPath(folder, number);
  const { size } = await stat(path);
  return await findEnd(localDisk, path, size);
}
