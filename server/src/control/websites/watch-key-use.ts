import type { Log } from '../../log.ts';
import type { Websites } from './websites.ts';

export type KeyUse = ReturnType<typeof watchKeyUse>;

/**
 * When each API key was last used. Intake notes it in `usedAtMs` by the hash of the key for every request, and
 * every few seconds it is written to the database.
 */
export function watchKeyUse(parts: {
  websites: Pick<Websites, 'markKeysUsed'>;
  log: Log;
  intervalMs: number;
}) {
  const { websites, log, intervalMs } = parts;
  const usedAtMs = new Map<string, number>();
  const writtenAtMs = new Map<string, number>();
  let isFailing = false;

  async function write(): Promise<void> {
    // Another time need not be a later one, because the clock may have been set.
    const changed = [...usedAtMs].filter(([keyHash, atMs]) => atMs !== writtenAtMs.get(keyHash));
    if (changed.length === 0) return;
    try {
      await websites.markKeysUsed(changed.map(([keyHash, atMs]) => ({ keyHash, atMs })));
      for (const [keyHash, atMs] of changed) writtenAtMs.set(keyHash, atMs);
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
