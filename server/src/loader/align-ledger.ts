import type { Journal } from '../journal/open-journal.ts';
import type { Log } from '../log.ts';
import { maxDaysBefore } from '../records/late-limits.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { Store } from '../store/open-store.ts';
import { type Comparison, compareBatches } from './compare-batches.ts';
import { findHole } from './find-hole.ts';
import { matchJournal } from './match-journal.ts';
import type { Ledger } from './open-ledger.ts';

type Options = {
  journal: Pick<Journal, 'folder' | 'segments'>;
  ledger: Ledger;
  store: Pick<Store, 'listKeys' | 'countBatches' | 'deleteBatches' | 'lastBatch'>;
  isWanted: IsWanted;
  maxRows: number;
  log: Log;
};

/**
 * The ledger says which records have been loaded. If it has gaps, or if the store has batches that it doesn't
 * know, each record is looked up in the store instead, and the ledger is rebuilt from that. Otherwise this
 * returns how the batches compare, because that had to be asked anyway.
 */
export async function alignLedger(options: Options): Promise<Comparison | undefined> {
  const { journal, ledger, store, isWanted, maxRows, log } = options;
  const { folder } = journal;
  const { node, state } = ledger;
  // Copies, because the last segment keeps growing.
  const segments = journal.segments().map((segment) => ({ ...segment }));
  const batches = [...state.batches.values()];
  const hole = findHole(segments, batches);
  const known = batches.slice(0, hole);
  if (hole !== undefined)
    log.warn({ batches: hole, unreadableLines: ledger.unreadableLines }, 'the ledger has a gap');
  const counted = await compareBatches(store, node, batches, { daysBefore: maxDaysBefore });
  if (known.length === 0) ledger.skipTo(await store.lastBatch(node));
  const isNamedOtherwise = segments.some((segment) => segment.node !== node);
  const hasRecords = segments.some(({ firstFrame, end }) => firstFrame < end);
  const isUnsure = hole !== undefined || counted.others.length > 0;
  if (!isUnsure && !(hasRecords && (known.length === 0 || isNamedOtherwise))) return counted;
  const { lastBatch } = state;
  const lastKnown = batches.findLast(({ from, to }) => from < to);
  const ofLedger = { node, known, lastKnown, lastBatch };
  await ledger.replaceBatches(
    await matchJournal({ folder, segments, ...ofLedger, store, isWanted, maxRows, log }),
  );
  return undefined;
}
