import { localDisk } from '../files/disk.ts';
import { readPastFaults } from '../files/read-past-faults.ts';
import type { Journal } from '../journal/open-journal.ts';
import { readPayloadStart, toMs } from '../journal/payload-start.ts';
import { readFrames } from '../journal/read-frames.ts';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import type { LedgerState } from './ledger-state.ts';
import type { Ledger } from './open-ledger.ts';
import { nextStretch } from './read-batch.ts';

type Options = {
  journal: Pick<Journal, 'folder' | 'segments' | 'answeredTo' | 'completeUpToMs'>;
  ledger: Pick<Ledger, 'state'>;
};

/** A moment, and the end of the journal at that moment. */
type Mark = { upToMs: number; to: JournalPosition };

/** Knows up to when the store has everything that was received. That time never goes back. */
export function createCompleteness({ journal, ledger }: Options) {
  // Older segments are gone because the store has all of their records.
  let upToMs = (journal.segments()[0]?.createdAt ?? 0) - 1;
  let mark: Mark | undefined;

  const stretch = () => nextStretch(journal.segments(), ledger.state.batchedTo);
  const advance = (ms: number) => {
    upToMs = Math.max(upToMs, ms);
  };

  async function begin(): Promise<void> {
    const firstMs = await findFirstWaiting(journal.folder, journal.segments(), ledger.state);
    if (firstMs !== undefined) advance(firstMs - 1);
  }

  return {
    begin,
    /** Notes what the journal has now. It counts as soon as all of that is loaded. */
    setMark(): void {
      mark ??= { upToMs: journal.completeUpToMs(), to: journal.answeredTo() };
    },
    /** Called when a batch is in the store, and no other is on its way there. */
    noteLoaded(): void {
      const waiting = stretch();
      const isOpen = mark && waiting && isBefore({ segment: waiting.segment, offset: waiting.from }, mark.to);
      if (mark === undefined || isOpen) return;
      advance(mark.upToMs);
      mark = undefined;
    },
    /** Called when everything in the journal is in the store. */
    noteNothingWaits(): void {
      advance(journal.completeUpToMs());
    },
    upToMs: (): number => upToMs,
  };
}

/** Returns when the first record was received that is not known to be in the store. Undefined if there is none. */
export async function findFirstWaiting(
  folder: string,
  segments: ReturnType<Journal['segments']>,
  { batches, verified, batchedTo }: Pick<LedgerState, 'batches' | 'verified' | 'batchedTo'>,
): Promise<number | undefined> {
  const open = [...batches.values()].filter(({ batch }) => !verified.has(batch));
  const first = open.find(({ firstReceivedAt }) => firstReceivedAt !== '');
  if (first !== undefined) return toMs(first.firstReceivedAt);
  const waiting = nextStretch(segments, batchedTo);
  if (waiting === undefined) return undefined;
  const { segment, from, to } = waiting;
  for await (const { frames } of readFrames(folder, segment, from, to, readPastFaults(localDisk)))
    for (const frame of frames) return toMs(readPayloadStart(frame).receivedAt);
  return undefined;
}
