/** What the tests of removals share: a real control, and a store in memory that fails on command. */
import type { TestContext } from 'node:test';
import { createFakeClock, createTestLog, openTestControl } from '../control/test-control.ts';
import { openWebsiteCache } from '../control/websites/website-cache.ts';
import type { ErasedVisit } from '../records/erased-visit.ts';
import type { VisitorRemoval } from '../store/removals.ts';
import type { WebsiteStore } from '../store/website-store.ts';
import type { RemovalParts } from './removal-parts.ts';

type Row = { websiteId: number; visitorId: string; occurredAtMs: number };

export async function openTestRemovals(t: TestContext, websites: readonly string[]) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { log, messages } = createTestLog();
  const { control } = await openTestControl(t, { clock });
  for (const domain of websites) await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  const websiteCache = await openWebsiteCache({ control, clock, intervalMs: 60_000, settleMs: 0, log });
  t.after(() => websiteCache.stop());
  const stopping = new AbortController();
  const state = {
    rows: [] as Row[],
    /** The visits in which anyone signed in. */
    visits: [] as ErasedVisit[],
    /** The steps that were done, in order. */
    steps: [] as string[],
    /** Thrown by every statement while it is set. */
    failure: undefined as Error | undefined,
  };
  const step = (name: string) => {
    state.steps.push(name);
    if (state.failure !== undefined) throw state.failure;
  };
  const matches = (id: number, of: VisitorRemoval | 'all') => (row: Row) =>
    row.websiteId === id &&
    (of === 'all' ||
      (row.visitorId === of.visitorId && row.occurredAtMs < of.receivedBefore) ||
      of.visits?.some(
        ({ deviceId, receivedFrom, receivedUntil }) =>
          row.visitorId === deviceId && row.occurredAtMs >= receivedFrom && row.occurredAtMs < receivedUntil,
      ) === true);
  const websiteStore = (id: number) => ({
    async findErasedVisits() {
      step('find visits');
      return state.visits;
    },
    async countRecords(of: VisitorRemoval | 'all') {
      step('count');
      return state.rows.filter(matches(id, of)).length;
    },
    async removeRecords(of: VisitorRemoval | 'all') {
      step('remove records');
      state.rows = state.rows.filter((row) => !matches(id, of)(row));
    },
    async removeDays() {
      step('remove days');
      return 0;
    },
  });
  const parts: RemovalParts = {
    control,
    websiteCache,
    clock,
    log,
    signal: stopping.signal,
    store: {
      ofWebsite: (id) => websiteStore(id) as unknown as WebsiteStore,
      countRecordsBefore: async () => [],
      removeRecordsBefore: async () => {},
      removeDaysBefore: async () => {},
    },
    days: {
      inTurn: (work) => work(),
      forgetVisitors: async () => step('forget'),
    },
    noteErasure: async () => true,
    loader: {
      receivedTo: async () => [{ worker: 1, segment: 1, offset: 1 }],
      isLoadedTo: async () => true,
      async batchEnded() {
        state.steps.push('batch ended');
      },
    },
  };
  return { clock, control, websiteCache, messages, state, parts, stop: () => stopping.abort() };
}
