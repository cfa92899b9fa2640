import type { Journal } from '../journal/open-journal.ts';
import { readPayloadStart, toMs } from '../journal/payload-start.ts';
import { readFrames } from '../journal/read-frames.ts';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
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

  /** Finds the first record that is not known to be in the store. */
  async function begin(): Promise<void> {
    const { batches, verified } = ledger.state;
    const open = [...batches.values()].filter(({ batch }) => !verified.has(batch));
    const first = open.find(({ firstReceivedAt }) => firstReceivedAt !== '');
    if (first !== undefined) return advance(toMs(first.firstReceivedAt) - 1);
    const waiting = stretch();
    if (waiting === undefined) return;
    const { segment, from, to } = waiting;
    for await (const { frames } of readFrames(journal.folder, segment, from, to))
      for (const frame of frames) return advance(toMs(readPayloadStart(frame).receivedAt) - 1);
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
