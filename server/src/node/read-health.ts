import type { Damage } from '../damage/damage-log.ts';
import type { Health } from '../http/server/health.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { LoaderState } from '../loader/loader-progress.ts';
import type { EngineState } from './engine-state.ts';

const lagWorthTellingMs = 15_000;
/** A healthy disk answers within milliseconds, a busy one within a second. */
const diskAnswersWithinMs = 5_000;

/** What to do about an engine that doesn't recover by itself. */
const hints: Partial<Record<EngineState['state'], string>> = {
  unreachable: '; check the network, TRACKSIDE_CLICKHOUSE_URL, and the user and the password',
  'cannot-start': '; raise the limits on open files, processes and memory',
  'cannot-open': '; run `trackside doctor`, then `trackside repair` if the store is damaged',
};

const partOf: Record<Damage['kind'], string> = {
  'journal-frames': 'journal',
  'journal-segment': 'journal',
  'store-part': 'store',
  'store-gone': 'store',
  'damage-note': 'data folder',
};

/**
 * Only the journal decides whether records are accepted, unless answers wait for the store. Otherwise, the
 * engine and the loader can be down for a while.
 */
export function readHealth(parts: {
  journal: Pick<Journal, 'isFull' | 'oldestUnansweredMs'>;
  loader: LoaderState;
  engine: EngineState;
  /** Whether answers wait for the store, and it doesn't confirm records. */
  isStoreAway: boolean;
  /** Whether the settings database can't be read. */
  isControlFailing: boolean;
  /** The known damage on disk. */
  damage: readonly Damage[];
}): Health {
  const { journal, loader, engine } = parts;
  const degraded: Health['degraded'] = [];
  if (journal.isFull()) {
    degraded.push({
      part: 'journal',
      why: 'the journal or the disk is full: free up space, raise journal-max-bytes, or lower min-free-bytes',
    });
  }
  const unansweredMs = journal.oldestUnansweredMs();
  const isStalled = unansweredMs > diskAnswersWithinMs;
  if (isStalled) {
    const seconds = Math.round(unansweredMs / 1000);
    degraded.push({ part: 'journal', why: `the disk has not responded for ${seconds} s: check it` });
  }
  if (parts.isStoreAway) {
    degraded.push({
      part: 'store',
      why:
        'the store does not confirm records, so they are refused (TRACKSIDE_ACK=store): ' +
        'check the store, or restart with TRACKSIDE_ACK=disk',
    });
  }
  if (parts.isControlFailing) {
    degraded.push({
      part: 'control',
      why:
        'the settings database cannot be read: records are accepted within what this node knows; ' +
        'changes of settings wait',
    });
  }
  if (engine.state !== 'ready') {
    const hint = hints[engine.state] ?? '';
    degraded.push({
      part: 'engine',
      why: `${engine.state}${engine.lastError ? `: ${engine.lastError}` : ''}${hint}`,
      state: engine.state,
      ...(engine.lastError && { reason: engine.lastError }),
    });
  }
  if (engine.host !== undefined && engine.brokenParts > 0) {
    degraded.push({
      part: 'store',
      why: `ClickHouse has set ${engine.brokenParts} damaged parts aside: see system.detached_parts on its hosts`,
    });
  }
  if (loader.lastError !== undefined) degraded.push({ part: 'loader', why: loader.lastError });
  else if (loader.lagMs > lagWorthTellingMs) {
    degraded.push({ part: 'loader', why: `${Math.round(loader.lagMs / 1000)} s behind` });
  }
  if (loader.toLoadAgain.batches > 0) {
    const { batches, records } = loader.toLoadAgain;
    const some = `${batches.toLocaleString('en-US')} ${batches === 1 ? 'batch' : 'batches'}`;
    const all = `${records.toLocaleString('en-US')} ${records === 1 ? 'record' : 'records'}`;
    degraded.push({ part: 'loader', why: `loading again from the journal: ${some}, ${all} left` });
  }
  for (const { id, kind, says, todo } of parts.damage)
    degraded.push({ part: partOf[kind], why: `${says}: ${todo}`, damage: id });
  return { isAccepting: !journal.isFull() && !isStalled && !parts.isStoreAway, degraded };
}
