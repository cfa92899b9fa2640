/** The thread that `watchParent` starts. */
import { flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

const lookEveryMs = 250;
const parentPid: number = workerData;

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}, lookEveryMs);
// An engine is always killed in the end, and this would be written only at a regular exit.
flushCompileCache();
