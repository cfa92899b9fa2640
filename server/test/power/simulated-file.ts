import type { Random } from '../torture/create-random.ts';

type Change = { kind: 'write'; at: number; bytes: Buffer } | { kind: 'size'; length: number };

const sectorBytes = 512;
let lastIno = 0;

/**
 * The bytes of a file or the entry of a folder. `live` is what processes see; only `durable` and a random
 * part of the changes since then are left after a power cut.
 */
export class SimulatedFile {
  readonly ino: number;
  readonly isFolder: boolean;
  readonly mode: number;
  live: Buffer;
  #durable: Buffer;
  #changes: Change[] = [];

  constructor({ isFolder = false, mode = 0o600 } = {}, content: Buffer = Buffer.alloc(0)) {
    lastIno += 1;
    this.ino = lastIno;
    this.isFolder = isFolder;
    this.mode = mode;
    this.live = content;
    this.#durable = content;
  }

  write(at: number, bytes: Buffer): Change {
    return this.#change({ kind: 'write', at, bytes: Buffer.from(bytes) });
  }

  resize(length: number): Change {
    return this.#change({ kind: 'size', length });
  }

  #change(change: Change): Change {
    this.#changes.push(change);
    this.live = apply(this.live, change);
    return change;
  }

  /** The changes that a sync has to make durable if it begins now. */
  unsynced(): readonly Change[] {
    return [...this.#changes];
  }

  makeDurable(changes: readonly Change[]): void {
    for (const change of this.#changes)
      if (changes.includes(change)) this.#durable = apply(this.#durable, change);
    this.forget(changes);
  }

  /** A write through a file that syncs each write also makes durable how long the file is. */
  makeWriteDurable(written: Change): void {
    const before = this.#changes.slice(0, this.#changes.indexOf(written));
    this.makeDurable([...before.filter(({ kind }) => kind === 'size'), written]);
  }

  /** After a failed sync, the system takes these for written, although they aren't. */
  forget(changes: readonly Change[]): void {
    this.#changes = this.#changes.filter((change) => !changes.includes(change));
  }

  /** What a power cut leaves of the file. */
  afterPowerCut(random: Random): SimulatedFile {
    let content = this.#durable;
    for (const change of this.#changes) {
      for (const part of remainsOf(change, random)) content = apply(content, part);
    }
    return new SimulatedFile(this, content);
  }
}

function apply(content: Buffer, change: Change): Buffer {
  const length =
    change.kind === 'size' ? change.length : Math.max(content.length, change.at + change.bytes.length);
  const changed = Buffer.alloc(length);
  content.copy(changed);
  if (change.kind === 'write') change.bytes.copy(changed, change.at);
  return changed;
}

/** A write can be lost, or be there in part: up to any byte, from a sector on, in some sectors, or as zeros. */
function remainsOf(change: Change, random: Random): Change[] {
  if (random.isOnce(3)) return [];
  if (change.kind === 'size' || random.isOnce(3)) return [change];
  const { at, bytes } = change;
  const cut = random.whole(0, bytes.length);
  const grow: Change = { kind: 'write', at: at + bytes.length, bytes: Buffer.alloc(0) };
  switch (random.whole(1, 4)) {
    case 1:
      return [{ kind: 'write', at, bytes: bytes.subarray(0, cut) }];
    case 2:
      return [grow, ...sectorsOf(at, bytes).slice(random.whole(0, 2))];
    case 3:
      return [grow];
    default:
      return [grow, ...sectorsOf(at, bytes).filter(() => random.isOnce(2))];
  }
}

function sectorsOf(at: number, bytes: Buffer): Change[] {
  const sectors: Change[] = [];
  for (let from = at; from < at + bytes.length; ) {
    const to = Math.min(at + bytes.length, (Math.floor(from / sectorBytes) + 1) * sectorBytes);
    sectors.push({ kind: 'write', at: from, bytes: bytes.subarray(from - at, to - at) });
    from = to;
  }
  return sectors;
}
