/** Tracks whether the node can be reached. A lost connection is retried until it is back. */
export type Connection = {
  isLost(): boolean;
  /** Reports whether a request reached the node. */
  report(isReached: boolean): void;
  /** Calls the listener when the connection is lost and when it is back. */
  listen(listener: (isLost: boolean) => void): () => void;
};

type Options = {
  /** Resolves to whether the node answered. */
  ping: () => Promise<boolean>;
  wait: (ms: number) => Promise<void>;
};

const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

export function createConnection({ ping, wait }: Options): Connection {
  const listeners = new Set<(isLost: boolean) => void>();
  let isLost = false;
  let isTrying = false;

  function change(to: boolean): void {
    isLost = to;
    for (const listener of listeners) listener(to);
  }

  async function tryUntilBack(): Promise<void> {
    if (isTrying) return;
    isTrying = true;
    for (let waitMs = firstWaitMs; isLost; waitMs = Math.min(waitMs * 1.6, longestWaitMs)) {
      await wait(waitMs);
      if (isLost && (await ping()) && isLost) change(false);
    }
    isTrying = false;
  }

  return {
    isLost: () => isLost,
    report(isReached) {
      if (isReached === !isLost) return;
      change(!isReached);
      if (isLost) void tryUntilBack();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
