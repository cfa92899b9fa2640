import { join } from 'node:path';

/** Where everything lies in the data folder. */
export function dataFolder(dataDir: string) {
  return {
    root: dataDir,
    control: join(dataDir, 'control'),
    journal: join(dataDir, 'journal'),
    store: join(dataDir, 'store'),
    engineSocket: join(dataDir, 'engine.sock'),
    /**
     * Of an engine that a command runs for itself: a server that starts meanwhile must not take it for its
     * own.
     */
    commandSocket: join(dataDir, 'cmd.sock'),
    nodeLock: join(dataDir, 'node.lock'),
    /** A second one, in case somebody takes the first for a leftover and removes it. */
    journalLock: join(dataDir, 'journal', 'lock'),
    /** Where the running server can be reached, for commands. */
    origin: join(dataDir, 'origin'),
    installation: join(dataDir, 'installation'),
    repairRequest: join(dataDir, 'repair-requested'),
    damage: join(dataDir, 'damage'),
    unknownProxy: join(dataDir, 'unknown-proxy'),
  };
}
