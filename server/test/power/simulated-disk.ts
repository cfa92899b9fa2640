import { constants } from 'node:fs';
import { dirname } from 'node:path';
import type { Disk, DiskFile, FileFacts } from '../../src/files/disk.ts';
import type { Random } from '../torture/create-random.ts';
import { SimulatedFile } from './simulated-file.ts';

/** The call that is about to happen, in the order in which calls begin. */
export type DiskCall = { index: number; name: string; path: string; isChange: boolean };
/** What goes wrong with a call. A short write takes half of the bytes and reports success. */
export type Fault = { code: 'ENOSPC' | 'EIO' | 'EMFILE' } | { code: 'short' };

/** Names of one folder that change together: a rename is one change. */
type NameChange = [path: string, file: SimulatedFile | undefined][];
type Opened = { file: SimulatedFile; path: string; isSyncing: boolean };

const none = new Promise<never>(() => {});

/**
 * A disk in memory that keeps apart what was written and what was synced. It can lose power at any call: then
 * no call returns anymore, and `afterPowerCut` has what is left. Neither the order of writes nor that of names
 * is certain without a sync. `afterKill` is the same for a process that is killed.
 */
export class SimulatedDisk implements Disk {
  readonly calls: DiskCall[] = [];
  /** Called before each call. What it returns goes wrong. */
  findFault: (call: DiskCall) => Fault | undefined = () => undefined;
  /** The number of the changing call at which the power is cut. */
  cutAtChange = Number.POSITIVE_INFINITY;
  readonly powerCut: Promise<void>;
  readonly #random: Random;
  #names = new Map<string, SimulatedFile>();
  #durableNames = new Map<string, SimulatedFile>();
  #nameChanges = new Map<string, NameChange[]>();
  readonly #opened = new Map<number, Opened>();
  #lastFd = 100;
  #changes = 0;
  #isOff = false;
  #cutPower: () => void = () => {};

  constructor(random: Random) {
    this.#random = random;
    this.powerCut = new Promise((resolve) => {
      this.#cutPower = resolve;
    });
    const root = new SimulatedFile({ isFolder: true });
    this.#names.set('/', root);
    this.#durableNames.set('/', root);
  }

  cutPowerNow(): void {
    this.#isOff = true;
    this.#cutPower();
  }

  /** What a restart finds after the process was killed: everything it wrote, synced or not. */
  afterKill(): SimulatedDisk {
    const next = new SimulatedDisk(this.#random);
    next.#names = this.#names;
    next.#durableNames = this.#durableNames;
    next.#nameChanges = this.#nameChanges;
    return next;
  }

  /** What a restart finds after the power cut. */
  afterPowerCut(): SimulatedDisk {
    const next = new SimulatedDisk(this.#random);
    const left = new Map(this.#durableNames);
    for (const changes of this.#nameChanges.values()) {
      const isInOrder = this.#random.isOnce(2);
      const kept = this.#random.whole(0, changes.length);
      for (const [index, change] of changes.entries()) {
        if (isInOrder ? index >= kept : this.#random.isOnce(2)) continue;
        for (const [path, file] of change) file === undefined ? left.delete(path) : left.set(path, file);
      }
    }
    const renewed = new Map<SimulatedFile, SimulatedFile>();
    for (const [path, file] of [...left].sort(([a], [b]) => a.length - b.length)) {
      if (path !== '/' && !next.#names.has(dirname(path))) continue;
      const after = renewed.get(file) ?? file.afterPowerCut(this.#random);
      renewed.set(file, after);
      next.#names.set(path, after);
      next.#durableNames.set(path, after);
    }
    return next;
  }

  async open(path: string, flags: string | number, mode = 0o600): Promise<DiskFile> {
    const has = (flag: number) => typeof flags === 'number' && (flags & flag) !== 0;
    const creates = flags === 'w' || flags === 'wx' || has(constants.O_CREAT);
    const isNew = creates && !this.#names.has(path);
    return await this.#call('open', path, creates, () => {
      const found = this.#names.get(path);
      if (found !== undefined && (flags === 'wx' || has(constants.O_EXCL)))
        throw fault('EEXIST', 'open', path);
      if (found === undefined && !isNew) throw fault('ENOENT', 'open', path);
      if (found === undefined && !this.#names.has(dirname(path))) throw fault('ENOENT', 'open', path);
      const file = found ?? new SimulatedFile({ mode });
      if (found === undefined) this.#rename([[path, file]]);
      else if (flags === 'w') file.resize(0);
      this.#lastFd += 1;
      const fd = this.#lastFd;
      this.#opened.set(fd, { file, path, isSyncing: has(constants.O_DSYNC) });
      return () => this.#handleOf(fd);
    });
  }

  write: Disk['write'] = (fd, buffer, offset, length, position, done) => {
    this.#writeTo(fd, buffer.subarray(offset, offset + length), position).then(
      (written) => done(null, written),
      (error) => done(error, 0),
    );
  };

  async mkdir(path: string): Promise<string | undefined> {
    return await this.#call('mkdir', path, true, () => {
      let first: string | undefined;
      for (let at = path; !this.#names.has(at); at = dirname(at)) first = at;
      if (first === undefined) return () => undefined;
      const missing: string[] = [];
      for (let at = path; !this.#names.has(at); at = dirname(at)) missing.unshift(at);
      for (const folder of missing)
        this.#rename([[folder, new SimulatedFile({ isFolder: true, mode: 0o700 })]]);
      return () => first;
    });
  }

  async readdir(path: string): Promise<string[]> {
    return await this.#call('readdir', path, false, () => {
      if (!this.#names.has(path)) throw fault('ENOENT', 'scandir', path);
      const inside = [...this.#names.keys()].filter((name) => name !== '/' && dirname(name) === path);
      return () => inside.map((name) => name.slice(path.length + 1)).sort();
    });
  }

  async readText(path: string): Promise<string> {
    return await this.#call('readText', path, false, () => {
      const { live } = this.#find(path, 'open');
      return () => live.toString('utf8');
    });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#call('rename', to, true, () => {
      const file = this.#find(from, 'rename');
      this.#rename([
        [from, undefined],
        [to, file],
      ]);
      return () => {};
    });
  }

  async link(from: string, to: string): Promise<void> {
    await this.#call('link', to, true, () => {
      if (this.#names.has(to)) throw fault('EEXIST', 'link', to);
      this.#rename([[to, this.#find(from, 'link')]]);
      return () => {};
    });
  }

  async unlink(path: string): Promise<void> {
    await this.#call('unlink', path, true, () => {
      this.#find(path, 'unlink');
      this.#rename([[path, undefined]]);
      return () => {};
    });
  }

  async stat(path: string): Promise<FileFacts> {
    return await this.#call('stat', path, false, () => {
      const facts = factsOf(this.#find(path, 'stat'));
      return () => facts;
    });
  }

  statNow(path: string): FileFacts | undefined {
    const found = this.#begin('statNow', path, false);
    if (found !== undefined) throw fault(found.code, 'stat', path);
    const file = this.#names.get(path);
    return file && factsOf(file);
  }

  /** As on systems that don't say it. Then `statNow` is called instead, which can go wrong. */
  placeNow(): undefined {}

  async freeBytes(): Promise<number> {
    return 1e12;
  }

  #handleOf(fd: number): DiskFile {
    const opened = this.#opened.get(fd)!;
    const { file, path } = opened;
    const sync = async (name: string): Promise<void> => {
      await this.#call(
        name,
        path,
        true,
        () => {
          const unsynced = file.unsynced();
          const names = file.isFolder ? [...(this.#nameChanges.get(path) ?? [])] : [];
          return () => {
            file.makeDurable(unsynced);
            this.#makeNamesDurable(path, names);
          };
        },
        file,
      );
    };
    return {
      fd,
      read: async (buffer, offset, length, position) =>
        await this.#call('read', path, false, () => {
          const part = file.live.subarray(position, position + length);
          return () => ({ bytesRead: part.copy(buffer, offset) });
        }),
      write: async (bytes, offset, length, position) => ({
        bytesWritten: await this.#writeTo(fd, Buffer.from(bytes).subarray(offset, offset + length), position),
      }),
      truncate: async (length) => {
        await this.#call('truncate', path, true, () => {
          file.resize(length);
          return () => {};
        });
      },
      datasync: () => sync('datasync'),
      sync: () => sync('sync'),
      stat: async () =>
        await this.#call('fstat', path, false, () => {
          const facts = factsOf(file);
          return () => facts;
        }),
      close: async () => {
        this.#opened.delete(fd);
      },
    };
  }

  async #writeTo(fd: number, bytes: Buffer, position: number): Promise<number> {
    const { file, path, isSyncing } = this.#opened.get(fd)!;
    return await this.#call(
      'write',
      path,
      true,
      (isShort) => {
        const taken = isShort ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes;
        const change = file.write(position, taken);
        return () => {
          if (isSyncing) file.makeWriteDurable(change);
          return taken.length;
        };
      },
      file,
    );
  }

  /**
   * `begin` changes what processes see, and returns what the call does when it has ended. In between, other
   * calls may begin and the power may be cut.
   */
  async #call<Result>(
    name: string,
    path: string,
    isChange: boolean,
    begin: (isShort: boolean) => () => Result,
    file?: SimulatedFile,
  ): Promise<Result> {
    if (this.#isOff) return await none;
    const found = this.#begin(name, path, isChange);
    if (found !== undefined && found.code !== 'short') {
      if (found.code === 'EIO' && file !== undefined) {
        // The system may keep what it could not write, and takes it for written from then on.
        if (name === 'write') begin(false);
        file.forget(file.unsynced());
      }
      throw fault(found.code, name, path);
    }
    const end = begin(found?.code === 'short');
    for (let turns = this.#random.whole(1, 3); turns > 0; turns -= 1) await new Promise(setImmediate);
    if (this.#isOff) return await none;
    return end();
  }

  /** Counts a call, and returns what goes wrong with it. */
  #begin(name: string, path: string, isChange: boolean): Fault | undefined {
    const call = { index: this.calls.length, name, path, isChange };
    this.calls.push(call);
    if (isChange) this.#changes += 1;
    if (isChange && this.#changes === this.cutAtChange) this.cutPowerNow();
    return this.findFault(call);
  }

  #find(path: string, syscall: string): SimulatedFile {
    const file = this.#names.get(path);
    if (file === undefined) throw fault('ENOENT', syscall, path);
    return file;
  }

  #rename(change: NameChange): void {
    for (const [path, file] of change)
      file === undefined ? this.#names.delete(path) : this.#names.set(path, file);
    const folder = dirname(change[0]![0]);
    this.#nameChanges.set(folder, [...(this.#nameChanges.get(folder) ?? []), change]);
  }

  #makeNamesDurable(folder: string, changes: readonly NameChange[]): void {
    const left = this.#nameChanges.get(folder) ?? [];
    for (const change of left.filter((one) => changes.includes(one)))
      for (const [path, file] of change)
        file === undefined ? this.#durableNames.delete(path) : this.#durableNames.set(path, file);
    this.#nameChanges.set(
      folder,
      left.filter((one) => !changes.includes(one)),
    );
  }
}

function factsOf({ ino, live, mode }: SimulatedFile): FileFacts {
  return { dev: 1, ino, size: live.length, mode };
}

function fault(code: string, syscall: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${syscall} '${path}', on the simulated disk`), {
    code,
    syscall,
    path,
  });
}
