import { Worker } from 'node:worker_threads';

/** It only compares two numbers. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/**
 * Ends this process, from a thread of its own, when the one that started it is gone. The main thread hears of
 * that too, but not while it is inside a native call; one that never returns would keep the store locked for
 * ever.
 */
export function watchParent(parentPid: number): void {
  const thread = new URL('./parent-thread.ts', import.meta.url);
  const worker = new Worker(thread, { workerData: parentPid, resourceLimits });
  worker.unref();
  worker.once('error', (error) => process.stderr.write(`engine cannot watch its node: ${error}\n`));
}
