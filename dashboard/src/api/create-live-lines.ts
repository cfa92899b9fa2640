import type { LiveScene } from './shapes.ts';

export type LiveState = {
  /** The latest scene. Undefined until the first one arrives. */
  scene: LiveScene | undefined;
  /** Whether newer scenes are unavailable at the moment. */
  isAway: boolean;
  /** Whether that is because the line broke. Then nothing is known about the server, not even that it runs. */
  isLost: boolean;
};

export type LiveLines = {
  state(path: string): LiveState;
  /**
   * Calls the listener with each new state. The line is open while there are listeners and the page is
   * visible.
   */
  listen(path: string, listener: (state: LiveState) => void): () => void;
};

/** The parts of an EventSource that are used here. */
export type EventLine = {
  addEventListener(name: string, listener: (event: { data?: string }) => void): void;
  close(): void;
  readonly readyState: number;
};

type Parts = {
  open: (path: string) => EventLine;
  isVisible: () => boolean;
  /** Calls the listener when the page becomes visible or hidden. */
  listenForVisibility: (listener: () => void) => () => void;
  /** Calls back after a delay, unless it is canceled with the returned function. */
  later: (callback: () => void, ms: number) => () => void;
};

type Line = {
  state: LiveState;
  listeners: Set<(state: LiveState) => void>;
  stop: () => void;
};

const closed = 2;
/** A broken line usually comes back soon, so it is not reported before this time has passed. */
const patienceMs = 6_000;
const firstWaitMs = 5_000;
const longestWaitMs = 60_000;
export const noLiveState: LiveState = { scene: undefined, isAway: false, isLost: false };

/**
 * The event streams of the live views: one for each path, no matter how many listen. A hidden page has none,
 * because a browser opens only a few connections to a server for all of its tabs.
 */
export function createLiveLines(parts: Parts): LiveLines {
  const lines = new Map<string, Line>();
  return {
    state: (path) => lines.get(path)?.state ?? noLiveState,
    listen(path, listener) {
      let line = lines.get(path);
      if (line === undefined) {
        const begun: Line = { state: noLiveState, listeners: new Set(), stop: () => {} };
        lines.set(path, begun);
        begun.stop = keepOpen(path, parts, (change) => {
          begun.state = { ...begun.state, ...change };
          for (const each of begun.listeners) each(begun.state);
        });
        line = begun;
      }
      const mine = line;
      mine.listeners.add(listener);
      listener(mine.state);
      return () => {
        mine.listeners.delete(listener);
        if (mine.listeners.size > 0 || lines.get(path) !== mine) return;
        lines.delete(path);
        mine.stop();
      };
    },
  };
}

/**
 * Keeps the line open while the page is visible, and reopens it after a refusal. Returns a function that ends
 * it.
 */
function keepOpen(path: string, parts: Parts, tell: (change: Partial<LiveState>) => void): () => void {
  let line: EventLine | undefined;
  let waitMs = firstWaitMs;
  let cancelOpening = () => {};
  let cancelAway: (() => void) | undefined;

  function calm(): void {
    cancelAway?.();
    cancelAway = undefined;
  }
  function close(): void {
    calm();
    cancelOpening();
    line?.close();
    line = undefined;
  }
  function open(): void {
    const opened = parts.open(path);
    line = opened;
    opened.addEventListener('scene', ({ data }) => {
      calm();
      waitMs = firstWaitMs;
      tell({ scene: JSON.parse(data ?? '') as LiveScene, isAway: false, isLost: false });
    });
    opened.addEventListener('away', () => {
      calm();
      tell({ isAway: true, isLost: false });
    });
    opened.addEventListener('error', () => {
      cancelAway ??= parts.later(() => tell({ isAway: true, isLost: true }), patienceMs);
      // The browser reopens a broken connection, but not a refused one.
      if (opened.readyState !== closed) return;
      cancelOpening = parts.later(open, waitMs);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    });
  }
  function look(): void {
    if (!parts.isVisible()) close();
    else if (line === undefined) open();
  }

  look();
  const stopListening = parts.listenForVisibility(look);
  return () => {
    stopListening();
    close();
  };
}
