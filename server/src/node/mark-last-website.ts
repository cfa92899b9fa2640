import type { Control } from '../control/open-control.ts';
import type { WebsiteCache } from '../control/websites/website-cache.ts';
import { writeMark } from '../files/mark-file.ts';
import type { Log } from '../log.ts';
import { repeat } from './repeat.ts';

/**
 * Keeps the highest ID of a website in the data folder, where it outlasts a control database that is replaced by
 * an older one.
 */
export function markLastWebsite(options: {
  file: string;
  control: { websites: Pick<Control['websites'], 'lastId'> };
  websiteCache: Pick<WebsiteCache, 'revision'>;
  intervalMs: number;
  log: Log;
}): { stop(): Promise<void> } {
  const { file, control, websiteCache, intervalMs, log } = options;
  let seen: number | undefined;
  let marked = 0;
  return repeat({
    intervalMs,
    firstMs: 0,
    async work() {
      const revision = websiteCache.revision();
      if (revision === seen) return;
      const lastId = await control.websites.lastId();
      if (lastId > marked) await writeMark(file, String(lastId));
      marked = lastId;
      seen = revision;
    },
    log,
    failure: 'cannot write down the highest ID of a website',
  });
}
