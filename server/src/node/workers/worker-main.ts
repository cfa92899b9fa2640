/** The program of every worker but the first one. */
import module from 'node:module';
import { performance } from 'node:perf_hooks';
import { collectGarbage, collectStartGarbage } from '../collect-start-garbage.ts';
import { letRequestsGoFirst } from '../let-requests-go-first.ts';
import { openChannel } from './open-channel.ts';
import type { FirstAnswers, WorkerAnswers, WorkerStart } from './worker-protocol.ts';

const lookMs = 250;

process.umask(0o077);
// A terminal sends them to all processes. The first worker says when this one is to stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
// Without the first worker, nobody would load what this one accepts.
process.on('disconnect', () => process.exit(1));
// Node doesn't always say so: not if the first worker was killed in the middle of a message.
const firstPid = process.ppid;
setInterval(() => {
  if (process.ppid !== firstPid) process.exit(1);
}, lookMs);

const answers: Pick<WorkerAnswers, 'start'> = {
  async start(options: WorkerStart) {
    if (options.compileCache !== undefined) module.enableCompileCache(options.compileCache);
    const { startWorker } = await import('./start-worker.ts');
    const { report, ...others } = await startWorker(options, first);
    Object.assign(answers, others);
    letRequestsGoFirst();
    collectStartGarbage({ utilization: performance.eventLoopUtilization, collect: collectGarbage });
    return report();
  },
};
const first = openChannel<FirstAnswers>(process, answers);
