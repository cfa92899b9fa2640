import { join } from 'node:path';

/** The paths of everything in the data folder. */
export function dataFolder(dataDir: string) {
  return {
    root: dataDir,
    control: join(dataDir, 'control'),
    journal: join(dataDir, 'journal'),
    store: join(dataDir, 'store'),
    engineSocket: join(dataDir, 'engine.sock'),
    /**
     * The socket of an engine that a command runs for itself. A server that starts in the meantime must not
     * take that engine for its own.
     */
    commandSocket: join(dataDir, 'cmd.sock'),
    nodeLock: join(dataDir, 'node.lock'),
    /** A second lock, in case someone mistakes the first one for a leftover and removes it. */
    journalLock: join(dataDir, 'journal', 'lock'),
    /** Tells commands where they can reach the running server. */
    origin: join(dataDir, 'origin'),
    /** A mark that says which control database the folder belongs to. */
    installation: join(dataDir, 'installation'),
    /** A mark with the highest ID that a website has had. */
    lastWebsite: join(dataDir, 'last-website'),
    repairRequest: join(dataDir, 'repair-requested'),
    /** Written and removed at the start, to see whether the file system responds. */
    probe: join(dataDir, 'probe'),
    /** Names the outside store that the records are in. Without this file, they are in `store`. */
    outsideStore: join(dataDir, 'outside-store'),
    /** What `trackside move` remembers between two runs. */
    move: join(dataDir, 'move'),
    /** Says that a restore into this folder was begun, and of what. */
    restoring: join(dataDir, 'restoring'),
    /** Says that the folder is a copy to practice on, which leaves the place of its backups alone. */
    practice: join(dataDir, 'practice'),
    /** Where backups prepare their files. It has a folder for each place. */
    backupWork: join(dataDir, 'backup-work'),
    damage: join(dataDir, 'damage'),
    /** What the processes besides the first one keep, each in a folder of its own. */
    workers: join(dataDir, 'workers'),
    unknownProxy: join(dataDir, 'unknown-proxy'),
  };
}

/** Where the key file is, unless the operator keeps it elsewhere. */
export const ownKeyFile = (dataDir: string): string => join(dataDir, 'secret.key');
