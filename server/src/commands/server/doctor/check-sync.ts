import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeFully } from '../../../files/write-fully.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const maxAttempts = 50;
/** A slow disk is asked less often. */
const measureForMs = 2_000;
const slowMs = 20;
/** A disk that hangs may never answer, and the person must be told. */
const answerWithinMs = 20_000;
/** Whatever else needs the disk would have to wait as well. */
export const hanging = fault(
  `the disk has not responded for ${answerWithinMs / 1000} s`,
  'check the disk: records have to wait until it responds',
);
/** Faster than any disk that keeps data through a power cut, except one with a battery. */
const suspiciousMs = 0.005;

/**
 * Measures how long the disk takes to make a small write durable. No record can be answered faster than this.
 */
export async function checkSync(dataDir: string): Promise<Finding[]> {
  const given = new AbortController();
  const tooLong = delay(answerWithinMs, undefined, { signal: given.signal }).then(() => [hanging]);
  try {
    return await Promise.race([measure(dataDir), tooLong]);
  } finally {
    tooLong.catch(() => {});
    given.abort();
  }
}

async function measure(dataDir: string): Promise<Finding[]> {
  const path = join(dataDir, `.doctor-${process.pid}`);
  const file = await open(path, 'w', 0o600);
  const times: number[] = [];
  try {
    const block = Buffer.alloc(4096, 1);
    const untilMs = performance.now() + measureForMs;
    while (times.length < maxAttempts && (times.length === 0 || performance.now() < untilMs)) {
      await writeFully(file, block, times.length * block.length);
      const startedMs = performance.now();
      await file.datasync();
      times.push(performance.now() - startedMs);
    }
  } finally {
    await file.close();
    await unlink(path);
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)]!;
  const slowest = times.at(-1)!.toFixed(2);
  const says = `median ${median.toFixed(2)} ms, slowest ${slowest} ms, of ${times.length} writes`;
  if (median > slowMs)
    return [warning(says, 'every response takes at least this long: a local SSD is faster')];
  if (median < suspiciousMs)
    return [warning(says, 'too fast for a disk: is the data folder in memory (tmpfs)?')];
  return [ok(says)];
}
