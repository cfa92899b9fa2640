/**
 * Preloaded into a process (`--import`), this makes the disk of one folder hang or be full for everything
 * that Node writes there, as long as a file says so. The engine and SQLite write by other means and are not
 * affected.
 */
import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

const lookEveryMs = 20;
const { DISK_FAULT_FOLDER: folder = '', DISK_FAULT_FILE: file = '' } = process.env;

type Mode = 'hang' | 'full' | 'well';
type Write = (this: FileHandle, ...parameters: unknown[]) => Promise<unknown>;

const modeNow = (): Mode => fs.readFileSync(file, 'utf8') as Mode;

function isInside(descriptor: number): boolean {
  const path = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
  return path === folder || path.startsWith(`${folder}/`);
}

/** Returns when the disk would have begun to write. */
async function untilTaken(): Promise<void> {
  while (modeNow() === 'hang') await delay(lookEveryMs);
  if (modeNow() !== 'full') return;
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    errno: -28,
    syscall: 'write',
  });
}

const writeWell = fs.write as (...parameters: unknown[]) => void;

fs.write = ((descriptor: number, ...rest: unknown[]) => {
  if (modeNow() === 'well' || !isInside(descriptor)) {
    writeWell(descriptor, ...rest);
    return;
  }
  const done = rest.at(-1) as (error: unknown) => void;
  untilTaken().then(() => writeWell(descriptor, ...rest), done);
}) as typeof fs.write;
syncBuiltinESMExports();

const sample = await open('/dev/null');
const handles: Record<string, Write> = Object.getPrototypeOf(sample);
await sample.close();
for (const name of ['write', 'writeFile', 'appendFile', 'sync', 'datasync']) {
  const well = handles[name]!;
  handles[name] = async function (...parameters) {
    if (modeNow() !== 'well' && isInside(this.fd)) await untilTaken();
    return await well.apply(this, parameters);
  };
}
