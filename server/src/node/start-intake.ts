import type { Control } from '../control/open-control.ts';
import { createKeyLookUp } from '../control/websites/create-key-look-up.ts';
import { watchKeyUse } from '../control/websites/watch-key-use.ts';
import type { WebsiteCache } from '../control/websites/website-cache.ts';
import { createBoundedLog } from '../http/server/bounded-log.ts';
import { createRequestIds } from '../http/server/request-ids.ts';
import type { TrackingCounts } from '../http/tracking/create-tracking.ts';
import { createRecentRequests } from '../http/tracking/recent-requests.ts';
import { createIntake } from '../intake/create-intake.ts';
import type { AskHolders } from '../intake/idempotency/idempotency-index.ts';
import type { StoreWaits } from '../intake/store-waits.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import type { JournalParts } from './open-journal-parts.ts';

type Options = Pick<JournalParts, 'contingent' | 'tally' | 'journal' | 'idempotencyIndex'> &
  Pick<Parameters<typeof createIntake>[0], 'salts' | 'lateHours'> & {
    control: Control;
    websiteCache: WebsiteCache;
    askHolders?: AskHolders | undefined;
    storeWaits: StoreWaits | undefined;
    clock: Clock;
    log: Log;
  };

const keyUseMs = 5000;

/** Puts together what judges records, in the first process of a server and in each of the others. */
export function startIntake(options: Options) {
  const { control, websiteCache, contingent, tally, salts, journal, idempotencyIndex, clock, log } = options;
  const counts: TrackingCounts = {
    accepted: { page_view: 0, event: 0 },
    repeated: { page_view: 0, event: 0 },
    excluded: new Map(),
    refused: new Map(),
    dryRuns: 0,
  };
  const requestLog = createBoundedLog(log);
  const keyUse = watchKeyUse({ websites: control.websites, log, intervalMs: keyUseMs });
  const recent = createRecentRequests(clock);
  const intake = createIntake({
    apiKeys: websiteCache.apiKeys,
    keyUsedAtMs: keyUse.usedAtMs,
    contingent,
    tally,
    salts,
    journal,
    idempotencyIndex,
    askHolders: options.askHolders,
    lateHours: options.lateHours,
    clock,
  });
  const ofTracking = {
    intake,
    keyLookUp: createKeyLookUp({ websites: control.websites, websiteCache, clock }),
    counts,
    tally,
    requestId: createRequestIds(),
    recent,
    storeWaits: options.storeWaits,
    log: requestLog,
  };
  return { counts, requestLog, keyUse, recent, ofTracking };
}
