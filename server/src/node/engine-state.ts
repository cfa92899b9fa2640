export type EngineState = {
  /**
   * `locked`: another process holds the store, and this engine waits. `cannot-start`: the system provides no
   * process, or too few resources for one. `cannot-open`: something is wrong with the store itself.
   * `unreachable`: an outside store doesn't answer, or refuses us.
   */
  state:
    | 'unreachable'
    | 'starting'
    | 'locked'
    | 'ready'
    | 'restarting'
    | 'cannot-start'
    | 'cannot-open'
    | 'stopped';
  /** How often an engine ended that should have kept running. */
  restarts: number;
  pid?: number;
  /** The host of an outside store that is asked now. */
  host?: string;
  /** Why the engine isn't ready. Not set while it is. */
  lastError?: string;
  /** The number of parts that couldn't be read at the last start and were left out of the store. */
  brokenParts: number;
  /** Wall-clock time at which this state began. */
  sinceMs: number;
};
