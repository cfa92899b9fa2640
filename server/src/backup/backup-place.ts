/** A file of a backup. Its path has slashes and is relative to the place. */
export type PlacedFile = { path: string; bytes: number };

/** Where backups are kept. */
export type BackupPlace = {
  /** How the operator calls it. It tells a place from others. */
  name: string;
  /** The file appears as a whole and lasting, or not at all. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if there is no such file. */
  read(path: string): Promise<Buffer | undefined>;
  /** All files whose path begins with the folder. Unfinished ones are left out. */
  list(folder: string): Promise<PlacedFile[]>;
  /** What writes that were interrupted have left in the folder. Each is named after its file. */
  listUnfinished(folder: string): Promise<{ path: string; of: string }[]>;
  remove(path: string): Promise<void>;
  /** Whether there is nothing yet, apart from the lock and what file systems and buckets have by themselves. */
  isEmpty(): Promise<boolean>;
  /** Keeps out other backups until it is released. Undefined if there is one already. */
  lock(): { release(): void } | undefined;
};
