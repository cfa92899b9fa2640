import type { LiveScene } from './shapes.ts';

export type LiveState = {
  /** The last one that came; undefined until then. */
  scene: LiveScene | undefined;
  /** Whether newer ones cannot be had at the moment. */
  isAway: boolean;
};

export type LiveLines = {
  state(path: string): LiveState;
  /** Tells each new state. The line is open while somebody listens and the page is looked at. */
  listen(path: string, listener: (state: LiveState) => void): () => void;
};

/** What is needed of an EventSource. */
export type EventLine = {
  addEventListener(name: string, listener: (event: { data?: string }) => void): void;
  close(): void;
  readonly readyState: number;
};

type Parts = {
  open: (path: string) => EventLine;
  isVisible: () => boolean;
  /** Is called when the page is looked at, or no longer. */
  listenForVisibility: (listener: () => void) => () => void;
  /** Calls back later, unless that is taken back. */
  later: (callback: () => void, ms: number) => () => void;
};

type Line = {
  state: LiveState;
  listeners: Set<(state: LiveState) => void>;
  stop: () => void;
};

const closed = 2;
/** A line that breaks is back soon, as a rule: nothing is said about it before. */
const patienceMs = 6_000;
const firstWaitMs = 5_000;
const longestWaitMs = 60_000;
const nothing: LiveState = { scene: undefined, isAway: false };

/**
 * The lines over which the live views come: one for each path, however many listen. A page that nobody looks
 * at has none, because a browser has only a few connections to a server for all its tabs.
 */
export function createLiveLines(parts: Parts): LiveLines {
  const lines = new Map<string, Line>();
  return {
    state: (path) => lines.get(path)?.state ?? nothing,
    listen(path, listener) {
      let line = lines.get(path);
      if (line === undefined) {
        const begun: Line = { state: nothing, listeners: new Set(), stop: () => {} };
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

/** Opens the line whenever the page is looked at, and again when it was refused. Returns what ends it. */
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
      tell({ scene: JSON.parse(data ?? '') as LiveScene, isAway: false });
    });
    opened.addEventListener('away', () => {
      calm();
      tell({ isAway: true });
    });
    opened.addEventListener('error', () => {
      cancelAway ??= parts.later(() => tell({ isAway: true }), patienceMs);
      // A broken connection is opened again by the browser; after a refusal that is left to us.
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
