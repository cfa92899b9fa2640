import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import type { Websites } from './websites.ts';

export type KeyUse = ReturnType<typeof watchKeyUse>;

/**
 * Keeps track of when each API key was last used. This is noted in memory for every record, and written down
 * every few seconds.
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
      if (!isFailing) log.warn({ err: error }, 'the use of API keys could not be written down');
      isFailing = true;
    }
  }

  const timer = setInterval(write, intervalMs).unref();
  return {
    note: (keyHash: string): void => void usedAtMs.set(keyHash, clock.now()),
    lastUsedAtMs: (keyHash: string): number | undefined => usedAtMs.get(keyHash),
    async stop(): Promise<void> {
      clearInterval(timer);
      await write();
    },
  };
}
