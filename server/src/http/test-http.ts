/**
 * Shared by the tests of http: a real server in this process with a real journal and control database,
 * without an engine.
 */
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import { Registry } from 'prom-client';
import { keepSalts } from '../control/privacy/keep-salts.ts';
import { createTestLog, type FakeClock } from '../control/test-control.ts';
import { createKeyLookUp } from '../control/websites/create-key-look-up.ts';
import { openWebsiteCache } from '../control/websites/website-cache.ts';
import { createIntake } from '../intake/create-intake.ts';
import { openIdempotencyIndex } from '../intake/idempotency/idempotency-index.ts';
import { startTestNode } from '../intake/test-intake.ts';
import { createBoundedLog } from './server/bounded-log.ts';
import { createHttpServer } from './server/create-server.ts';
import { type Health, healthRoute } from './server/health.ts';
import { metricsRoute } from './server/metrics.ts';
import { createRequestIds } from './server/request-ids.ts';
import { createTracking, type TrackingCounts } from './tracking/create-tracking.ts';
import { createRecentRequests } from './tracking/recent-requests.ts';

export async function startTestHttp(
  t: TestContext,
  options: {
    clock: FakeClock;
    timeouts?: Parameters<typeof createHttpServer>[0]['timeouts'];
    metricsToken?: string;
    health?: () => Health;
    maxBytes?: number;
    lateHours?: number;
    /** Routes besides health and metrics. */
    routes?: Parameters<typeof createHttpServer>[0]['routes'];
  },
) {
  const { clock, timeouts, maxBytes, lateHours = 25 } = options;
  const { log: unbounded, messages, levels } = createTestLog();
  const log = createBoundedLog(unbounded);
  const { control, journal, contingent, tally } = await startTestNode(t, {
    clock,
    ...(maxBytes && { maxBytes }),
  });
  const salts = keepSalts({ salts: control.salts, clock, log, lateHours });
  await salts.ready;
  const websiteCache = await openWebsiteCache({ control, clock, intervalMs: 250, settleMs: 0, log });
  const counts: TrackingCounts = {
    accepted: { page_view: 0, event: 0 },
    repeated: { page_view: 0, event: 0 },
    excluded: new Map(),
    refused: new Map(),
    dryRuns: 0,
  };
  const idempotencyIndex = await openIdempotencyIndex({
    journal,
    clock,
    log,
    maxKeys: 1000,
    maxRecalledBytes: 1e9,
  });
  const intake = createIntake({
    apiKeys: websiteCache.apiKeys,
    keyUsedAtMs: new Map(),
    contingent,
    tally,
    salts,
    journal,
    idempotencyIndex,
    lateHours,
    clock,
  });
  const recent = createRecentRequests(clock);
  const tracking = createTracking({
    intake,
    keyLookUp: createKeyLookUp({ websites: control.websites, websiteCache, clock }),
    counts,
    tally,
    requestId: createRequestIds(),
    recent,
    storeWaits: undefined,
    log,
  });
  const routes = [
    healthRoute(options.health ?? (() => ({ isAccepting: true, degraded: [] })), () => ({
      oldestUnansweredMs: journal.oldestUnansweredMs(),
      loader: { lagMs: 0, waitingBytes: 0, toCompareBatches: 0, toLoadAgain: { batches: 0, records: 0 } },
    })),
    metricsRoute(async () => new Registry(), options.metricsToken),
    ...(options.routes ?? []),
  ];
  const { app, server, fastLane } = await createHttpServer({
    tracking,
    routes,
    log,
    ...(timeouts && { timeouts }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    fastLane.destroyAll();
    server.closeAllConnections();
    await app.close();
    log.stop();
    websiteCache.stop();
    salts.stop();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    fastLane,
    control,
    counts,
    recent,
    journal,
    contingent,
    messages,
    levels,
    /** Adds a website, whose key the server knows at once. */
    async addWebsite(domain: string, contingent: number | null) {
      const added = await control.websites.add({ domain, timezone: 'UTC', contingent });
      await websiteCache.refresh();
      return { id: added.website.id, apiKey: added.apiKey };
    },
    async setExclusions(id: number, exclusions: readonly Exclusion[]) {
      await control.websites.update(id, { exclusions });
      await websiteCache.refresh();
    },
    async setContingent(id: number, contingent: number | null) {
      await control.websites.update(id, { contingent });
      await websiteCache.refresh();
    },
  };
}
