import type { Registry } from 'prom-client';
import { type AppOptions, createApp } from '../http/app/create-app.ts';
import { type AppParts, appRoutes } from '../http/app/register-app.ts';
import { createSharedWebsites } from '../http/app/shared-websites.ts';
import { mcpRoutes } from '../http/mcp/mcp-routes.ts';
import type { readPageFiles } from '../http/pages/page-files.ts';
import { pageRoutes } from '../http/pages/page-routes.ts';
import { type Health, healthRoute, type Progress } from '../http/server/health.ts';
import { metricsRoute } from '../http/server/metrics.ts';
import { createAuthenticateReader, createReaderOf } from '../http/stats/authenticate-reader.ts';
import { ledgerRoute } from '../http/stats/ledger-route.ts';
import { type StatsParts, statsRoutes } from '../http/stats/stats-routes.ts';
import { receiptRoute } from '../http/tracking/receipt-route.ts';
import type { Log } from '../log.ts';
import type { Statistics } from '../stats/create-statistics.ts';

type Options = Omit<AppOptions, 'activity' | 'excluded' | 'shares' | 'tracking'> & {
  tracking: AppOptions['tracking'] & Parameters<typeof receiptRoute>[0]['tracking'];
  health: () => Health;
  progress: () => Progress;
  metrics: () => Promise<Registry>;
  metricsToken: string | undefined;
  statistics: Statistics;
  websiteCache: StatsParts['websiteCache'];
  trustedProxies: number;
  onUnknownProxy: AppParts['onUnknownProxy'];
  pages: ReturnType<typeof readPageFiles>;
  log: Log;
};

/**
 * Everything that a node answers besides tracking: its health and metrics, statistics, and the web
 * application.
 */
export function nodeRoutes(options: Options) {
  const { control, statistics, websiteCache, clock, log } = options;
  const shares = createSharedWebsites({ websites: control.websites, clock });
  const authenticate = createAuthenticateReader({ readTokens: control.readTokens, clock, log });
  const readerOf = createReaderOf({ authenticate, shares, control });
  const appParts = {
    control,
    trustedProxies: options.trustedProxies,
    onUnknownProxy: options.onUnknownProxy,
    clock,
    log: log.child({ part: 'app' }),
  };
  return [
    healthRoute(options.health, options.progress),
    metricsRoute(options.metrics, options.metricsToken),
    ...statsRoutes({ statistics, websiteCache, readerOf, log: log.child({ part: 'stats' }) }),
    ...mcpRoutes({ statistics, websiteCache, authenticate, clock, log: log.child({ part: 'mcp' }) }),
    ...appRoutes(
      appParts,
      createApp({ ...options, activity: statistics.activity, excluded: statistics.excluded, shares }),
    ),
    ledgerRoute({
      ledger: options.ledger,
      authenticate,
      websiteCache,
      clock,
      log: log.child({ part: 'stats' }),
    }),
    receiptRoute({ tracking: options.tracking, find: statistics.findRecord }),
    ...pageRoutes(options.pages),
  ];
}
