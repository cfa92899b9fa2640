import type { Control } from '../../control/open-control.ts';
import type { KeyUse } from '../../control/websites/watch-key-use.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Contingent } from '../../intake/contingent/contingent.ts';
import type { Removals } from '../../removal/start-removals.ts';
import type { Clock } from '../../time/clock.ts';
import type { WatchedRequests } from '../tracking/recent-requests.ts';
import type { AppRoute } from './app-route.ts';
import type { Demos } from './demos.ts';
import type { LiveStreams } from './live-streams.ts';
import { auditRoutes } from './routes/audit.ts';
import { firstStepsRoutes } from './routes/first-steps.ts';
import { funnelRoutes } from './routes/funnels.ts';
import { goalRoutes } from './routes/goals.ts';
import { liveRoutes } from './routes/live.ts';
import { noteRoutes } from './routes/notes.ts';
import { segmentRoutes } from './routes/segments.ts';
import { sessionRoutes } from './routes/session.ts';
import { setupRoutes } from './routes/setup.ts';
import { shareRoutes } from './routes/share.ts';
import { userRoutes } from './routes/users.ts';
import { websiteDataRoutes } from './routes/website-data.ts';
import { websiteExclusionRoutes } from './routes/website-exclusions.ts';
import { websiteExportRoutes } from './routes/website-export.ts';
import { websiteKeyRoutes } from './routes/website-key.ts';
import { websiteLedgerRoutes } from './routes/website-ledger.ts';
import { websiteWatchRoutes } from './routes/website-watch.ts';
import { websiteRoutes } from './routes/websites.ts';
import type { SharedWebsites } from './shared-websites.ts';
import { createWebsiteParts } from './website-parts.ts';

export type AppOptions = {
  control: Control;
  contingent: Pick<Contingent, 'usage'>;
  keyUse: Pick<KeyUse, 'usedAtMs'>;
  recent: (websiteId: number) => Promise<WatchedRequests>;
  activity: (website: Website) => Promise<{ visitors: number; visitorsBefore: number; byHour: number[] }>;
  excluded: Parameters<typeof websiteExclusionRoutes>[0]['excluded'];
  ledger: Parameters<typeof websiteLedgerRoutes>[0]['ledger'];
  data: Removals;
  shares: SharedWebsites;
  live: Pick<LiveStreams, 'open'>;
  tracking: Parameters<typeof firstStepsRoutes>[0]['tracking'];
  demos: Demos;
  clock: Clock;
};

/** Returns all routes of the web application. */
export function createApp(options: AppOptions): AppRoute[] {
  const { control } = options;
  const websites = createWebsiteParts(options);
  return [
    ...setupRoutes(control),
    ...sessionRoutes(control),
    ...websiteRoutes(websites),
    ...websiteKeyRoutes(websites),
    ...websiteExclusionRoutes(options),
    ...websiteDataRoutes(websites),
    ...websiteExportRoutes(websites),
    ...websiteLedgerRoutes(options),
    ...websiteWatchRoutes(options),
    ...firstStepsRoutes(options),
    ...liveRoutes(options),
    ...shareRoutes(options),
    ...noteRoutes(control),
    ...funnelRoutes(control),
    ...segmentRoutes(control),
    ...goalRoutes(control),
    ...userRoutes(control),
    ...auditRoutes(control),
  ];
}
