import type { Log } from '../core/log.ts';
import type { Control } from './open-control.ts';
import type { Website } from './websites.ts';

export type DirectoryEntry = Website & { clientIdKey: Buffer };

/** The websites and their keys in memory, at most one poll behind the database. */
export type Directory = {
  findByKeyHash(hash: string): DirectoryEntry | undefined;
  get(id: number): DirectoryEntry | undefined;
  count(): number;
  stop(): void;
};

type View = { revision: number; byKeyHash: Map<string, DirectoryEntry>; byId: Map<number, DirectoryEntry> };

export async function watchDirectory(options: {
  control: Pick<Control, 'websites' | 'revision'>;
  intervalMs: number;
  log: Log;
}): Promise<Directory> {
  const { control, intervalMs, log } = options;
  let view = await loadView(control);
  let isFailing = false;
  let isStopped = false;
  let timer = setTimeout(poll, intervalMs).unref();

  async function poll(): Promise<void> {
    try {
      if ((await control.revision()) !== view.revision) view = await loadView(control);
      if (isFailing) log.info('websites can be read again');
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isStopped)
        log.error({ err: error }, 'websites cannot be read: going on with the last view');
      isFailing = true;
    }
    if (!isStopped) timer = setTimeout(poll, intervalMs).unref();
  }

  return {
    findByKeyHash: (hash) => view.byKeyHash.get(hash),
    get: (id) => view.byId.get(id),
    count: () => view.byId.size,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function loadView(control: Pick<Control, 'websites' | 'revision'>): Promise<View> {
  // The revision first: a change in between makes the view newer than its revision, and the next poll loads it again.
  const revision = await control.revision();
  const view: View = { revision, byKeyHash: new Map(), byId: new Map() };
  for (const { website, keyHashes, clientIdKey } of await control.websites.directory()) {
    const entry = { ...website, clientIdKey };
    view.byId.set(website.id, entry);
    for (const hash of keyHashes) view.byKeyHash.set(hash, entry);
  }
  return view;
}
