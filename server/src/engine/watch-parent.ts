import { Worker } from 'node:worker_threads';

/** The thread only compares two numbers. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/**
 * Ends this process, from a separate thread, when the process that started it is gone. The main thread would
 * notice that too, but not during a native call. A call that never returns would keep the store locked
 * forever.
 */
export function watchParent(parentPid: number): void {
  const thread = new URL('./parent-thread.ts', import.meta.url);
  const worker = new Worker(thread, { workerData: parentPid, resourceLimits });
  worker.unref();
  worker.once('error', (error) => process.stderr.write(`engine cannot watch its node: ${error}\n`));
}
