import type { LoaderEngine } from '../../loader/loader-options.ts';
import type { EngineView } from './worker-protocol.ts';

/** The engine for the loader of a worker that doesn't supervise it: what the first worker last said about it. */
export function createRemoteEngine(
  restart: (reason: string, generation: number) => Promise<void>,
): LoaderEngine & { see(view: EngineView): { isMended: boolean; isNowReady: boolean }; pause(): void } {
  let seen: EngineView = { isReady: false, generation: -1, hasBrokenParts: false, mends: 0 };
  return {
    isOutside: false,
    isReady: () => seen.isReady,
    generation: () => seen.generation,
    hasBrokenParts: () => seen.hasBrokenParts,
    // What was seen may be older than what has just failed. Then the engine has been restarted already.
    restart: (reason) => restart(reason, seen.generation),
    see(view) {
      const before = seen;
      seen = view;
      return { isMended: view.mends !== before.mends, isNowReady: view.isReady && !before.isReady };
    },
    pause() {
      seen = { ...seen, isReady: false };
    },
  };
}
