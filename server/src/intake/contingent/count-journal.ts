import { readPayloadStart } from '../../journal/payload-start.ts';
import { type Frame, readFrames } from '../../journal/read-frames.ts';
import type { JournalPosition } from '../../records/journal-position.ts';

export type JournalCount = { websiteId: number; month: string; records: number };

/**
 * Counts the records in the journal after a position, by website and UTC month. If a segment becomes
 * unreadable, the records before that point count, because the server must start anyway.
 */
export async function* countJournal(
  journal: { folder: string; segments: () => readonly { number: number; firstFrame: number; end: number }[] },
  from: JournalPosition | undefined,
  onUnreadable: (segment: number, error: unknown) => void,
): AsyncGenerator<JournalCount> {
  for (const segment of journal.segments()) {
    if (from !== undefined && segment.number < from.segment) continue;
    const start = from?.segment === segment.number ? from.offset : segment.firstFrame;
    const counts = new Map<string, JournalCount>();
    try {
      for await (const { frames } of readFrames(journal.folder, segment.number, start, segment.end))
        for (const frame of frames) add(counts, frame);
    } catch (error) {
      onUnreadable(segment.number, error);
    }
    yield* counts.values();
  }
}

function add(counts: Map<string, JournalCount>, frame: Frame): void {
  const { websiteId, receivedAt } = readPayloadStart(frame);
  const month = receivedAt.slice(0, 7);
  const key = `${websiteId} ${month}`;
  const count = counts.get(key);
  if (count === undefined) counts.set(key, { websiteId, month, records: 1 });
  else count.records += 1;
}
