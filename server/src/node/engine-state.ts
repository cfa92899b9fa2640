export type EngineState = {
  /**
   * `locked`: another process holds the store, and this engine waits. `cannot-start`: the system gives no process, or not
   * enough for one. `cannot-open`: something is wrong with the store itself.
   */
  state: 'starting' | 'locked' | 'ready' | 'restarting' | 'cannot-start' | 'cannot-open' | 'stopped';
  /** How often an engine ended that should have gone on. */
  restarts: number;
  pid?: number;
  /** Why it is not ready; nothing while it is. */
  lastError?: string;
  /** Parts of the store that could not be read at the last start and are left out of it. */
  brokenParts: number;
  /** Wall-clock time at which this state began. */
  sinceMs: number;
};
