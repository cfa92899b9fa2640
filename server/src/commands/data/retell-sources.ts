import type { Website } from '../../control/websites/website-row.ts';
import { createOriginReteller } from '../../intake/describe/create-origin-reteller.ts';
import type { OriginChange, OriginGroup } from '../../store/origins.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type RewriteLimits, splitChanges } from './split-changes.ts';

const cacheEntries = 1000;

/**
 * Works out the source and channel of a website's records again, by the rules of this version, and writes
 * those that differ. Records that are already right stay as they are, so this can be stopped at any time and
 * started again. Returns how many records have changed.
 */
export async function retellSources(options: {
  store: Pick<WebsiteStore, 'listMonths' | 'listOrigins' | 'rewriteOrigins'>;
  website: Pick<Website, 'domain'>;
  limits: RewriteLimits;
  onProgress: (month: string, changedRecords: number) => void;
}): Promise<{ records: number }> {
  const { store, website, limits, onProgress } = options;
  const retell = createOriginReteller({ cacheEntries });
  let records = 0;

  async function retellGroups(month: string, groups: readonly OriginGroup[]): Promise<void> {
    const changed = groups.flatMap((group) => {
      const { source, channel } = retell(group, website.domain);
      const isSame = source === group.source && channel === group.channel;
      return isSame ? [] : [{ key: group.key, source, channel, records: group.records }];
    });
    const lengthOf = ({ key, source, channel }: OriginChange) => key.length + source.length + channel.length;
    for (const changes of splitChanges(changed, limits, lengthOf)) {
      await store.rewriteOrigins(month, changes);
      records += changes.reduce((sum, change) => sum + change.records, 0);
      onProgress(month, records);
    }
  }

  for (const month of await store.listMonths()) {
    onProgress(month, records);
    for (let afterKey = '0'; ; ) {
      const groups = await store.listOrigins({ month, afterKey, limit: limits.groupsAtOnce });
      await retellGroups(month, groups);
      if (groups.length < limits.groupsAtOnce) break;
      afterKey = groups.at(-1)!.key;
    }
  }
  return { records };
}
