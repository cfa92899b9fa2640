import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { type FolderLock, takeFolderLock } from '../../server/src/files/folder-lock.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Windows of the same site share one process, and the script that it has compiled.
  '--renderer-process-limit=1',
  // No page lives long enough here to be worth optimizing its script.
  '--js-flags=--no-opt --no-maglev',
];

/**
 * Chromium paints as much of a page as fits into this memory, which is next to nothing. Layout, events and
 * frames stay the same.
 */
const unpainted = '--force-gpu-mem-available-mb=1';
const unpackedWithinMs = 300_000;

/**
 * Starts the Chromium that comes with npm. Its package would unpack it to a fixed place, where a second test
 * that starts at the same time would find it incomplete. Here it gets its final name once it is complete.
 *
 * A test asks pages for their content, and doesn't look at them. What takes pictures, or measures how soon a
 * page is painted, says that the pages are seen.
 */
export async function openChromium({ isSeen }: { isSeen: boolean } = { isSeen: false }): Promise<Browser> {
  const args = isSeen ? flags : [...flags, unpainted];
  return await chromium.launch({ executablePath: await unpackChromium(), args, timeout: 300_000 });
}

async function unpackChromium(): Promise<string> {
  const packed = new URL('../bin/chromium.br', import.meta.resolve('@sparticuz/chromium'));
  const about = new URL('../package.json', packed);
  const { version } = JSON.parse(await readFile(about, 'utf8')) as { version: string };
  const folder = join(dirname(fileURLToPath(about)), '../../.cache/trackside-chromium');
  const file = join(folder, `chromium-${version}`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  // The others wait for the first one, because unpacking takes two seconds of processor time.
  let lock: FolderLock | undefined;
  const canStart = () => {
    lock = takeFolderLock(`${file}.lock`);
    return lock !== undefined;
  };
  await waitFor('another test to unpack Chromium', canStart, unpackedWithinMs);
  try {
    if (!existsSync(file)) await unpack(packed, file);
  } finally {
    lock?.release();
  }
  return file;
}

async function unpack(packed: URL, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await pipeline(
    createReadStream(packed),
    createBrotliDecompress(),
    createWriteStream(unfinished, { mode: 0o755 }),
  );
  await rename(unfinished, file);
}
