import { stat } from 'node:fs/promises';
import type { Segment } from './recover-journal.ts';
import { listSegments, readSegmentHeader, segmentPath } from './segment-file.ts';

/** Looks at the segments of a folder that another process may be writing to and removing from. */
export async function readSegments(folder: string): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const number of await listSegments(folder)) {
    const segment = await readOne(folder, number).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (segment !== undefined) segments.push(segment);
  }
  return segments;
}

async function readOne(folder: string, number: number): Promise<Segment | undefined> {
  const opened = await readSegmentHeader(folder, number);
  if (opened.kind !== 'readable') return undefined;
  const { node, columns, createdAt } = opened.header;
  const { size } = await stat(segmentPath(folder, number));
  return { number, node, columns, createdAt, firstFrame: opened.firstFrame, end: size };
}
