import type { UsageAnswer, WebsiteSettingsAnswer } from '@trackside/contract/app/answers.ts';
import type { Control } from '../../control/open-control.ts';
import type { KeyUse } from '../../control/websites/watch-key-use.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Contingent } from '../../intake/contingent/contingent.ts';
import type { Removals } from '../../removal/start-removals.ts';
import type { Clock } from '../../time/clock.ts';
import { toSettingsAnswer } from './to-answers.ts';

/** Parts that the routes about websites share. */
export type WebsiteParts = {
  control: Pick<Control, 'websites' | 'readTokens' | 'transact'>;
  data: Removals;
  usageOf: (website: Website) => UsageAnswer;
  settingsOf: (website: Website) => Promise<WebsiteSettingsAnswer>;
};

export function createWebsiteParts(parts: {
  control: WebsiteParts['control'];
  contingent: Pick<Contingent, 'usage'>;
  keyUse: Pick<KeyUse, 'usedAtMs'>;
  data: Removals;
  clock: Clock;
}): WebsiteParts {
  const { control, contingent, keyUse, data, clock } = parts;

  function usageOf(website: Website): UsageAnswer {
    const { used, refused, resetsAtMs } = contingent.usage(website.id, clock.now());
    return { used, refused, limit: website.contingent, resetsAt: new Date(resetsAtMs).toISOString() };
  }

  async function settingsOf(website: Website): Promise<WebsiteSettingsAnswer> {
    const key = await control.websites.keyFacts(website.id);
    return toSettingsAnswer({
      website,
      usage: usageOf(website),
      key,
      lastUsedAt: latest(keyUse.usedAtMs.get(key.keyHash), key.lastUsedAt),
      shareToken: await control.websites.shareToken(website.id),
      lastRetentionAt: data.lastRetention(website.id)?.at ?? null,
    });
  }

  return { control, data, usageOf, settingsOf };
}

/** Another process may have used the key since this one did. */
function latest(seen: number | undefined, written: number | null): number | null {
  return seen === undefined ? written : Math.max(seen, written ?? 0);
}
