import { setTimeout as delay } from 'node:timers/promises';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/open-store.ts';
import type { WebsiteStore } from '../store/website-store.ts';
import type { Clock } from '../time/clock.ts';
import { createDemo } from './create-demo.ts';
import type { DemoWebsite } from './create-row-writer.ts';
import { demoFunnels } from './demo-funnels.ts';
import { fillWebsite } from './fill-website.ts';
import { type DemoNote, planNotes } from './plan-notes.ts';

export type DemoState = {
  state: 'none' | 'loading' | 'loaded' | 'removing' | 'failed';
  /** The share of the work that is done while it is loading, from 0 to 1. */
  done: number;
  /** The demo records that the website has. */
  records: number;
};

/** What people at the demo's company would have added to the website. */
export type DemoExtras = { notes: readonly DemoNote[]; funnels: typeof demoFunnels };

/** The days of a website as they are added up. */
type Days = {
  rebuild(
    websiteId: number,
    period: { from: string; to: string },
    today: string,
    onProgress: (doneDays: number, allDays: number) => void,
  ): Promise<unknown>;
  startOver(websiteId: number, today: string): Promise<void>;
};

/** Enough for every report to have something to show, and loaded in seconds. */
const visitsPerDay = 60;
const seed = 1;
const maxBatchRows = 50_000;
/** The share of the work that filling takes. Adding up takes the rest. */
const fillShare = 0.7;
/** Counting the demo records of a large website takes a while, so it is not done each time somebody asks. */
const freshMs = 30_000;
const everyDay = { from: '1970-01-01', to: '2149-06-06' };

/** Loads made-up visitors into websites without records, and removes them again. */
export function keepDemos(parts: {
  /** Writes records. */
  store: Pick<Store, 'insertBatch'>;
  /** Asks about records, and removes them. */
  askedStore: Pick<Store, 'ofWebsite'>;
  days: Days;
  clock: Clock;
  log: Log;
}) {
  const { store, askedStore, days, clock, log } = parts;
  const states = new Map<number, DemoState>();
  /** When each state was known to be right. The command, or another node, may have changed it since. */
  const knownAtMs = new Map<number, number>();
  const runs = new Set<Promise<void>>();
  let isStopped = false;

  const isBusy = (id: number) => ['loading', 'removing'].includes(states.get(id)?.state ?? 'none');
  const ofWebsite = (id: number): WebsiteStore => askedStore.ofWebsite(id);

  async function stateOf(websiteId: number): Promise<DemoState> {
    const known = states.get(websiteId);
    if (known !== undefined && (isBusy(websiteId) || known.state === 'failed' || isFresh(websiteId)))
      return known;
    const records = await ofWebsite(websiteId).countRecords('demo');
    // Something may have begun in the meantime.
    if (states.get(websiteId) === known)
      setState(websiteId, { state: records > 0 ? 'loaded' : 'none', done: 0, records });
    return states.get(websiteId)!;
  }

  const isFresh = (id: number) => Math.abs(clock.now() - (knownAtMs.get(id) ?? 0)) < freshMs;

  function setState(websiteId: number, state: DemoState): void {
    states.set(websiteId, state);
    knownAtMs.set(websiteId, clock.now());
  }

  /** Runs in the background. Whoever wants to know how far it is asks for the state. */
  function run(websiteId: number, work: () => Promise<DemoState>): void {
    const running = work().then(
      (state) => setState(websiteId, state),
      (error: unknown) => {
        const { records = 0 } = states.get(websiteId) ?? {};
        setState(websiteId, { state: 'failed', done: 0, records });
        if (!isStopped)
          log.error({ err: error, website: websiteId }, 'loading demo data stopped in the middle');
      },
    );
    runs.add(running);
    void running.finally(() => runs.delete(running));
  }

  const todayAt = ({ timezone }: DemoWebsite) => createLocalTime(timezone)(clock.now()).day;

  return {
    stateOf,
    /** Only a website without records can have a demo: made-up records would spoil real statistics. */
    canLoad: async (websiteId: number): Promise<boolean> =>
      !isBusy(websiteId) && (await ofWebsite(websiteId).countRecords('all')) === 0,
    /** Begins to load a demo. `leave` adds the notes and the funnels. */
    load(
      website: DemoWebsite,
      options: { days: number; leave: (extras: DemoExtras) => Promise<void> },
    ): void {
      const { id, domain, timezone } = website;
      if (isBusy(id)) return;
      const show = (done: number, records: number) => {
        if (isStopped) throw new Error('the server is stopping');
        setState(id, { state: 'loading', done, records });
      };
      show(0, 0);
      run(id, async () => {
        const demo = createDemo({
          domain,
          timezone,
          days: options.days,
          visitsPerDay,
          seed,
          nowMs: clock.now(),
        });
        const { records } = await fillWebsite({
          store,
          website,
          demo,
          seed,
          maxBatchRows,
          onProgress: (at) => show((at.daysDone / at.days) * fillShare, at.records),
        });
        // Otherwise the first person to open the dashboard would have to wait for this.
        await days.rebuild(id, everyDay, todayAt(website), (done, all) =>
          show(fillShare + (1 - fillShare) * (done / Math.max(1, all)), records),
        );
        await options.leave({ notes: planNotes(demo), funnels: demoFunnels });
        return { state: 'loaded', done: 1, records };
      });
    },
    canRemove: async (websiteId: number): Promise<boolean> =>
      !isBusy(websiteId) && (await ofWebsite(websiteId).countRecords('demo')) > 0,
    /** Begins to remove the demo records of a website. Records from its visitors stay. */
    remove(
      website: DemoWebsite,
      options: { leave: (extras: Pick<DemoExtras, 'funnels'>) => Promise<void> },
    ): void {
      const { id } = website;
      if (isBusy(id)) return;
      const { records = 0 } = states.get(id) ?? {};
      setState(id, { state: 'removing', done: 0, records });
      run(id, async () => {
        await ofWebsite(id).removeRecords('demo');
        await days.startOver(id, todayAt(website));
        await options.leave({ funnels: demoFunnels });
        return { state: 'none', done: 0, records: 0 };
      });
    },
    /** A demo that is half loaded can be removed after the next start. */
    async stop({ withinMs }: { withinMs: number }): Promise<void> {
      isStopped = true;
      await Promise.race([Promise.all(runs), delay(withinMs, undefined, { ref: false })]);
    },
  };
}
