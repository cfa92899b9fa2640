import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openDamageLog } from '../damage/damage-log.ts';
import { damageLogOfWorker } from '../damage/damage-of-worker.ts';
import { localDisk } from '../files/disk.ts';
import { makeFolder } from '../files/make-folder.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { openContingent } from '../intake/contingent/contingent.ts';
import {
  type IdempotencyIndexOptions,
  openIdempotencyIndex,
} from '../intake/idempotency/idempotency-index.ts';
import { openTally } from '../intake/tally/open-tally.ts';
import { writeVerdictNotes } from '../intake/tally/tally-notes.ts';
import type { GroupReport } from '../journal/group-commit.ts';
import { journalBegunAnew } from '../journal/journal-damage.ts';
import { openJournal } from '../journal/open-journal.ts';
import { listSegments } from '../journal/segment-file.ts';
import { openLedger } from '../loader/open-ledger.ts';
import { OperatorError } from '../operator-error.ts';
import { recordColumns } from '../records/record-columns.ts';
import type { NodeOptions } from './node-options.ts';
import { watchDamage } from './watch-damage.ts';

/** What is open so far, to be closed if the start fails: it is tried again in the same process. */
export type Opened = (() => unknown)[];

export type JournalParts = Awaited<ReturnType<typeof openJournalParts>>;

const segmentBytes = 64 * 1024 * 1024;
const readyBytes = 4 * 1024 * 1024;
/** At most about 75 MB, which grow only with the keys that come, and a second or two at the start. */
const idempotencyLimits = { maxKeys: 2_000_000, maxRecalledBytes: 1024 * 1024 * 1024 };
const damageMs = 2000;

/** Opens the journal, and what is recovered from it: the ledger, the contingents and the idempotency keys. */
export async function openJournalParts(
  options: Pick<
    NodeOptions,
    'control' | 'clock' | 'log' | 'journalMaxBytes' | 'minFreeBytes' | 'onBroken'
  > & {
    folder: { journal: string; damage: string };
    worker: number;
    /**
     * The file that says that there was a journal here before, so that an empty one means that it is lost.
     * Undefined if whatever control has counted was counted here.
     */
    usedMark: string | undefined;
    /** Whether others take records of the same websites. */
    isShared: boolean;
    /** What this worker must know of the keys in the journals of others. */
    movedKeys: Pick<IdempotencyIndexOptions, 'others' | 'isOwn'>;
    onGroup: (report: GroupReport) => void;
  },
  opened: Opened,
) {
  const { folder, control, clock, log, worker, usedMark } = options;
  const allDamage = await openDamageLog({ folder: folder.damage, clock, log: log.child({ part: 'damage' }) });
  const damage = damageLogOfWorker(allDamage, worker);
  const knownDamage = await watchDamage(damage, damageMs);
  opened.push(() => knownDamage.stop());
  const ledger = await openLedger({ folder: folder.journal });
  opened.push(() => ledger.close());
  const { position: checkpoint, elsewhere } = await control.usage.read(ledger.node);
  const hadJournal = usedMark === undefined || existsSync(usedMark);
  // A node that was killed before its first checkpoint has none either, but it has its segments.
  const isEmpty = checkpoint === undefined && (await listSegments(folder.journal)).length === 0;
  if (isEmpty && elsewhere.length > 0 && hadJournal) await damage.report(journalBegunAnew(ledger.node));
  let checkpointUsage: (() => Promise<void>) | undefined;
  const journal = await openJournal({
    disk: localDisk,
    folder: folder.journal,
    answered: [...ledger.answered, ...(checkpoint ? [{ ...checkpoint, isStored: false }] : [])],
    damage,
    node: ledger.node,
    columns: recordColumns,
    segmentBytes,
    readyBytes,
    maxBytes: options.journalMaxBytes,
    minFreeBytes: options.minFreeBytes,
    clock,
    log: log.child({ part: 'journal' }),
    toNotes: writeVerdictNotes,
    onGroup: options.onGroup,
    onBroken: (error) => {
      // The open segment was removed. Unless its end is noted now, the next start can't know what is missing.
      if (error instanceof OperatorError)
        checkpointUsage?.().catch((fault: unknown) =>
          log.warn({ err: fault }, 'cannot save the monthly usage'),
        );
      options.onBroken(error);
    },
  });
  opened.push(() => journal.close());
  if (usedMark !== undefined && !existsSync(usedMark)) {
    await makeFolder(dirname(usedMark));
    await writeFile(usedMark, '', { mode: 0o600 });
    await syncFolder(dirname(usedMark));
  }
  const intakeLog = log.child({ part: 'intake' });
  const tally = await openTally({
    node: ledger.node,
    tallies: control.tallies,
    journal,
    position: checkpoint,
    clock,
    log: intakeLog,
  });
  const contingent = await openContingent({
    tally,
    node: ledger.node,
    isShared: options.isShared,
    usage: control.usage,
    journal,
    clock,
    log: intakeLog,
    answeredTo: () => journal.answeredTo(),
  });
  checkpointUsage = contingent.checkpoint;
  const idempotencyIndex = await openIdempotencyIndex({
    journal,
    ...options.movedKeys,
    clock,
    log: intakeLog,
    ...idempotencyLimits,
  });
  return { damage, knownDamage, ledger, journal, contingent, tally, idempotencyIndex };
}
