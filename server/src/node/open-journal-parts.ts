import { openDamageLog } from '../damage/damage-log.ts';
import { damageLogOfWorker } from '../damage/damage-of-worker.ts';
import { openContingent } from '../intake/contingent/contingent.ts';
import {
  type IdempotencyIndexOptions,
  openIdempotencyIndex,
} from '../intake/idempotency/idempotency-index.ts';
import type { GroupReport } from '../journal/group-commit.ts';
import { journalBegunAnew } from '../journal/journal-damage.ts';
import { openJournal } from '../journal/open-journal.ts';
import { openLedger } from '../loader/open-ledger.ts';
import { recordColumns } from '../records/record-columns.ts';
import type { NodeOptions } from './node-options.ts';
import { watchDamage } from './watch-damage.ts';

/** What is open so far, to be closed if the start fails: it is tried again in the same process. */
export type Opened = (() => unknown)[];

export type JournalParts = Awaited<ReturnType<typeof openJournalParts>>;

const segmentBytes = 64 * 1024 * 1024;
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
    /** Whether there was a journal before, so that a new one means that it is lost. */
    hadJournal: boolean;
    /** Whether others take records of the same websites. */
    isShared: boolean;
    /** What this worker must know of the keys in the journals of others. */
    movedKeys: Pick<IdempotencyIndexOptions, 'others' | 'isOwn'>;
    onGroup: (report: GroupReport) => void;
  },
  opened: Opened,
) {
  const { folder, control, clock, log, worker } = options;
  const allDamage = await openDamageLog({ folder: folder.damage, clock, log: log.child({ part: 'damage' }) });
  const damage = damageLogOfWorker(allDamage, worker);
  const knownDamage = await watchDamage(damage, damageMs);
  opened.push(() => knownDamage.stop());
  const ledger = await openLedger({ folder: folder.journal });
  opened.push(() => ledger.close());
  const { position: checkpoint, elsewhere } = await control.usage.read(ledger.node);
  if (checkpoint === undefined && elsewhere.length > 0 && options.hadJournal)
    await damage.report(journalBegunAnew(ledger.node));
  const journal = await openJournal({
    folder: folder.journal,
    answered: [...ledger.answered, ...(checkpoint ? [{ ...checkpoint, isStored: false }] : [])],
    damage,
    node: ledger.node,
    columns: recordColumns,
    segmentBytes,
    maxBytes: options.journalMaxBytes,
    minFreeBytes: options.minFreeBytes,
    clock,
    log: log.child({ part: 'journal' }),
    onGroup: options.onGroup,
    onBroken: options.onBroken,
  });
  opened.push(() => journal.close());
  const intakeLog = log.child({ part: 'intake' });
  const contingent = await openContingent({
    node: ledger.node,
    isShared: options.isShared,
    usage: control.usage,
    journal,
    clock,
    log: intakeLog,
    answeredTo: () => journal.answeredTo(),
  });
  const idempotencyIndex = await openIdempotencyIndex({
    journal,
    ...options.movedKeys,
    clock,
    log: intakeLog,
    ...idempotencyLimits,
  });
  return { damage, knownDamage, ledger, journal, contingent, idempotencyIndex };
}
