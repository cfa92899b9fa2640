import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { open, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const megabyte = 1024 * 1024;
const diskMegabytes = 300;
/** Enough for the store, and few enough to use them all up quickly. */
const inodes = 12_000;
/** Whatever the server gives up in the meantime is taken as well. */
const againMs = 50;

export type SmallDisk = Awaited<ReturnType<typeof openSmallDisk>>;

/** Says why this machine can't mount a file system. Undefined if it can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux, to mount a small file system';
  return process.getuid?.() === 0 ? undefined : 'it needs root, to mount a small file system';
}

/**
 * Mounts a small file system that can be filled to its last byte: ext4 in a file, or tmpfs where there are no
 * loop devices.
 */
export async function openSmallDisk(folder: string) {
  const path = join(folder, 'disk');
  const image = join(folder, 'disk.img');
  const filler = join(path, 'filler');
  const files = join(path, 'files');
  mkdirSync(path, { recursive: true });
  const kind = await mount(path, image);
  const unmountNow = () => void spawnSync('umount', ['-l', path]);
  process.once('exit', unmountNow);
  const leave = () => process.exit(130);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, leave);

  async function fillBytes(leftBytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(path);
    const bytes = bavail * bsize - leftBytes;
    // Extents are set aside at once, and nothing has to be written.
    if (!existsSync(filler) && bytes > megabyte)
      await run('fallocate', ['-l', String(bytes - megabyte / 2), filler]).catch(() => {});
    if (leftBytes > 0) return;
    const file = await open(filler, 'a');
    try {
      for (const size of [megabyte / 4, 4096, 1]) {
        const zeros = Buffer.alloc(size);
        while (await write(() => file.write(zeros)));
      }
    } finally {
      await file.close();
    }
  }

  async function takeInodes(): Promise<void> {
    mkdirSync(files, { recursive: true });
    for (let at = 0; await write(() => writeFile(join(files, `${process.hrtime.bigint()}-${at}`), '')); )
      at += 1;
  }

  const holdFor = async (ms: number, fill: () => Promise<void>): Promise<void> => {
    for (const untilMs = performance.now() + ms; performance.now() < untilMs; await delay(againMs))
      await fill();
  };

  return {
    path,
    kind,
    /** Leaves this many bytes, which the server may then use up. */
    leave: fillBytes,
    /** Keeps the last byte taken for as long as is said. */
    holdFull: (ms: number) => holdFor(ms, () => fillBytes(0)),
    /** Keeps the last inode taken, so that no file can be created. */
    holdInodes: (ms: number) => holdFor(ms, takeInodes),
    async free(): Promise<void> {
      await rm(filler, { force: true });
      await rm(files, { recursive: true, force: true });
    },
    async close(): Promise<void> {
      process.off('exit', unmountNow).off('SIGINT', leave).off('SIGTERM', leave);
      await run('umount', [path]).catch(unmountNow);
    },
  };
}

async function mount(path: string, image: string): Promise<'ext4' | 'tmpfs'> {
  try {
    await writeFile(image, '');
    await truncate(image, diskMegabytes * megabyte);
    await run('mkfs.ext4', ['-q', '-m', '0', '-b', '4096', '-N', String(inodes), image]);
    await run('mount', ['-o', 'loop', image, path]);
    return 'ext4';
  } catch {
    await rm(image, { force: true });
    await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,nr_inodes=${inodes}`, 'none', path]);
    return 'tmpfs';
  }
}

/** Returns whether there was space. */
const write = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOSPC') return false;
      throw error;
    },
  );
