import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import type { Websites } from './websites.ts';

export type KeyUse = ReturnType<typeof watchKeyUse>;

/**
 * When each API key was last used. Intake notes it in `usedAtMs` by the hash of the key for every request, and
 * every few seconds it is written to the database.
 */
export function watchKeyUse(parts: {
  websites: Pick<Websites, 'markKeysUsed'>;
  clock: Clock;
  log: Log;
  intervalMs: number;
}) {
  const { websites, clock, log, intervalMs } = parts;
  const usedAtMs = new Map<string, number>();
  let writtenUpToMs = clock.now();
  let isFailing = false;

  async function write(): Promise<void> {
    const changed = [...usedAtMs].filter(([, atMs]) => atMs > writtenUpToMs);
    if (changed.length === 0) return;
    try {
      await websites.markKeysUsed(changed.map(([keyHash, atMs]) => ({ keyHash, atMs })));
      writtenUpToMs = Math.max(...changed.map(([, atMs]) => atMs));
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'cannot save when API keys were last used');
      isFailing = true;
    }
  }

  const timer = setInterval(write, intervalMs).unref();
  return {
    usedAtMs,
    async stop(): Promise<void> {
      clearInterval(timer);
      await write();
    },
  };
}
