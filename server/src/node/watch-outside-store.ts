import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type OutsideHost, openOutsideHost } from '../store/open-outside-host.ts';
import type { OutsideStore } from '../store/store-address.ts';
import type { Clock } from '../time/clock.ts';
import type { EngineState } from './engine-state.ts';
import type { StoreEngine } from './supervise-engine.ts';

type Options = { outside: OutsideStore; node: string; clock: Clock; log: Log };
type SeenHost = { host: OutsideHost; startedAt: number | undefined; error: string };

const lookEveryMs = { ready: 1_000, away: 250 };
/** The time of a start is calculated from two clocks that count whole seconds. */
const sameStartSeconds = 5;
/** An INSERT whose client has just left may not have begun yet. It would begin within this time. */
const quietMs = 1_000;
/** An INSERT ends after a minute. After twice that time, a host that doesn't answer isn't waited for. */
const giveUpOnHostMs = 120_000;
/** A network can deliver an INSERT late. The batches are compared again when that is over. */
const compareAgainAfterMs = 300_000;

/**
 * Watches a store that others run. It stands in for the supervisor of an engine: where that one restarts the
 * engine so that no INSERT continues, this one kills the INSERTs of this node on every host, and looks until
 * none is left. That also comes first whenever a host is seen anew, because an earlier process of this node
 * may have left an INSERT behind.
 */
export function watchOutsideStore({ outside, node, clock, log }: Options): StoreEngine {
  const { hosts } = outside;
  const mark = `${node}-`;
  const seen: SeenHost[] = hosts.urls.map((url) => ({
    host: openOutsideHost(outside, url),
    startedAt: undefined,
    error: 'no answer yet',
  }));
  const readyListeners = new Set<() => void>();
  const stopping = new AbortController();
  let state: EngineState['state'] = 'starting';
  let lastError: string | undefined;
  let sinceMs = clock.now();
  let generation = 0;
  let restarts = 0;
  let brokenParts = 0;
  let lastHost = hosts.current();
  /** Whether the hosts that are there aren't the same as when the store was last ready. */
  let haveHostsChanged = true;
  /** When it became unknown whether INSERTs are running. Undefined while it is known that none is. */
  let unsureSinceMs: number | undefined = clock.monotonicMs();
  let quietSinceMs: number | undefined;
  let compareAgainAtMs = Number.POSITIVE_INFINITY;

  const enter = (next: EngineState['state'], error?: string): void => {
    if (next !== state) sinceMs = clock.now();
    if (next === 'unreachable' && state !== next)
      log.error({ reason: error }, 'the store cannot be reached: trying again');
    state = next;
    lastError = error;
  };
  const hold = (error: string): void => enter(generation === 0 ? 'starting' : 'restarting', error);
  const becomeUnsure = (reason = 'looking for INSERTs of this server that are still running'): void => {
    unsureSinceMs = clock.monotonicMs();
    quietSinceMs = undefined;
    hold(reason);
  };
  const changeHosts = (): void => {
    haveHostsChanged = true;
    becomeUnsure();
  };
  const becomeReady = (): void => {
    generation += 1;
    enter('ready');
    log.info({ host: hosts.current(), generation }, 'the store is ready');
    // Otherwise, the same hosts would do again what they have just failed to do, and without a pause.
    if (haveHostsChanged) for (const listener of readyListeners) listener();
    haveHostsChanged = false;
  };

  async function lookAt(one: SeenHost): Promise<void> {
    try {
      const startedAt = await one.host.startedAt();
      const isNew = Math.abs(startedAt - (one.startedAt ?? 0)) > sameStartSeconds;
      if (isNew && unsureSinceMs === undefined) restarts += 1;
      if (isNew) changeHosts();
      one.startedAt = startedAt;
    } catch (error) {
      one.startedAt = undefined;
      one.error = `${one.host.url}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  async function look(): Promise<void> {
    await Promise.all(seen.map(lookAt));
    const there = seen.filter(({ startedAt }) => startedAt !== undefined);
    if (there.length === 0) return enter('unreachable', seen.map(({ error }) => error).join('; '));
    if (!there.some(({ host }) => host.url === hosts.current())) hosts.choose(there[0]!.host.url);
    // Another host may not have everything yet that this one had.
    if (hosts.current() !== lastHost) changeHosts();
    lastHost = hosts.current();
    if (unsureSinceMs !== undefined) return await makeSure(there, unsureSinceMs);
    if (clock.monotonicMs() < compareAgainAtMs) return;
    compareAgainAtMs = Number.POSITIVE_INFINITY;
    becomeReady();
  }

  async function makeSure(there: SeenHost[], sinceMs: number): Promise<void> {
    const running = await Promise.all(there.map(({ host }) => host.killInserts(mark)));
    const nowMs = clock.monotonicMs();
    if (running.some((count) => count > 0)) {
      quietSinceMs = undefined;
      return hold('waiting for an INSERT of this server to end');
    }
    quietSinceMs ??= nowMs;
    const away = seen.filter((one) => !there.includes(one));
    if (away.length > 0 && nowMs - sinceMs < giveUpOnHostMs) {
      const names = away.map(({ error }) => error).join('; ');
      return hold(`an INSERT of this server may still be running on a host (${names})`);
    }
    if (nowMs - quietSinceMs < quietMs) return;
    brokenParts = (await Promise.all(there.map(({ host }) => host.countBrokenParts()))).reduce(
      (sum, count) => sum + count,
      0,
    );
    // Something else may have happened while the hosts were asked.
    if (unsureSinceMs !== sinceMs) return;
    unsureSinceMs = undefined;
    compareAgainAtMs = clock.monotonicMs() + compareAgainAfterMs;
    becomeReady();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => {
        becomeUnsure();
        enter('unreachable', error instanceof Error ? error.message : String(error));
      });
      const waitMs = state === 'ready' ? lookEveryMs.ready : lookEveryMs.away;
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const running = run();

  return {
    state: () => ({
      state,
      restarts,
      brokenParts,
      sinceMs,
      host: hosts.current(),
      ...(lastError !== undefined && { lastError }),
    }),
    onReady(listener) {
      readyListeners.add(listener);
      if (state === 'ready') listener();
      return () => readyListeners.delete(listener);
    },
    generation: () => generation,
    async restart(reason) {
      log.warn({ reason }, 'making sure that no INSERT of this server is running');
      becomeUnsure(reason);
    },
    async stop() {
      stopping.abort();
      await Promise.race([running, delay(1_000, undefined, { ref: false })]);
      await Promise.all(seen.map(({ host }) => host.close()));
      enter('stopped');
    },
    rssBytes: () => undefined,
  };
}
