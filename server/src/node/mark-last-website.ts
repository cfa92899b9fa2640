import type { Control } from '../control/open-control.ts';
import type { WebsiteCache } from '../control/websites/website-cache.ts';
import { readMark, writeMark } from '../files/mark-file.ts';
import type { Log } from '../log.ts';
import { repeat } from './repeat.ts';

/**
 * Keeps the highest ID of a website in the data folder, where it outlasts a control database that is replaced by
 * an older one. If that happens while the server runs, new websites get no ID of those that the older one lacks.
 */
export function markLastWebsite(options: {
  file: string;
  control: { websites: Pick<Control['websites'], 'lastId' | 'lose'> };
  websiteCache: Pick<WebsiteCache, 'revision'>;
  intervalMs: number;
  /** When the database is looked at although no website has changed, or again after a failure. */
  againMs: number;
  log: Log;
}): { stop(): Promise<void> } {
  const { file, control, websiteCache, intervalMs, againMs, log } = options;
  let seen: number | undefined;
  let marked: number | undefined;
  let nextMs = 0;
  let hasFailed = false;
  return repeat({
    intervalMs,
    firstMs: 0,
    async work() {
      const revision = websiteCache.revision();
      const hasChanged = revision !== seen && !hasFailed;
      if (!hasChanged && performance.now() < nextMs) return;
      nextMs = performance.now() + againMs;
      // Until this turn has succeeded.
      hasFailed = true;
      marked ??= Number((await readMark(file)) ?? 0);
      const lastId = await control.websites.lastId();
      if (lastId < marked) await loseTo(marked, lastId);
      if (lastId > marked) {
        await writeMark(file, String(lastId));
        marked = lastId;
      }
      seen = revision;
      hasFailed = false;
    },
    log,
    failure: 'cannot write down the highest ID of a website',
  });

  async function loseTo(marked: number, lastId: number): Promise<void> {
    log.error({ lastId, marked }, 'the control database was replaced by an older one: restart the server');
    await control.websites.lose(marked);
  }
}
