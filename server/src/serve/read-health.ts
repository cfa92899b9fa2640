import type { Damage } from '../core/damage-log.ts';
import type { Health } from '../http/routes/health.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { LoaderState } from '../loader/start-loader.ts';
import type { EngineState } from './supervise-engine.ts';

const lagWorthTellingMs = 15_000;

const partOf: Record<Damage['kind'], string> = {
  'journal-frames': 'journal',
  'journal-segment': 'journal',
  ledger: 'loader',
  'store-part': 'store',
  'damage-note': 'data folder',
};

/** Only the journal decides whether records are accepted; engine and loader can be down for a while. */
export function readHealth(parts: {
  journal: Pick<Journal, 'isFull'>;
  loader: LoaderState;
  engine: EngineState;
  /** What is known to be broken on disk. */
  damage: readonly Damage[];
}): Health {
  const { journal, loader, engine } = parts;
  const degraded: Health['degraded'] = [];
  if (journal.isFull()) {
    degraded.push({ part: 'journal', why: 'full, or the disk is: free space, or raise journal-max-bytes' });
  }
  if (engine.state !== 'ready') {
    const hint = engine.state === 'cannot-open' ? '; see `trackside doctor` and `trackside repair`' : '';
    degraded.push({
      part: 'engine',
      why: `${engine.state}${engine.lastError ? `: ${engine.lastError}` : ''}${hint}`,
    });
  }
  if (loader.lastError !== undefined) degraded.push({ part: 'loader', why: loader.lastError });
  else if (loader.lagMs > lagWorthTellingMs) {
    degraded.push({ part: 'loader', why: `${Math.round(loader.lagMs / 1000)} s behind` });
  }
  for (const { kind, says, todo } of parts.damage)
    degraded.push({ part: partOf[kind], why: `${says}: ${todo}` });
  return { isAccepting: !journal.isFull(), degraded };
}
