/** A disk with sectors that can't be read, for tests. */
import type { TestContext } from 'node:test';
import { localDisk } from './disk.ts';

type Sectors = { path: string; from: number; to: number; times?: number };

/** From now on, reading any of these bytes fails, unless it has failed `times` times. */
export function failToRead(t: TestContext, { path, from, to, times = Number.POSITIVE_INFINITY }: Sectors) {
  let failures = 0;
  const fail = (at: number, bytes: number): void => {
    if (at >= to || at + bytes <= from || failures >= times) return;
    failures += 1;
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  };
  const { open, readText } = localDisk;
  t.mock.method(localDisk, 'open', async (...how: Parameters<typeof open>) => {
    const file = await open(...how);
    if (how[0] !== path) return file;
    const read = file.read.bind(file);
    file.read = async (buffer, offset, length, position) => {
      fail(position, length);
      return await read(buffer, offset, length, position);
    };
    return file;
  });
  t.mock.method(localDisk, 'readText', async (read: string) => {
    if (read === path) fail(from, to - from);
    return await readText(read);
  });
}
