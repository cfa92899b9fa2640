import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RecordsOrder, RecordsReport } from './send-records.ts';

/** Starts sending records in a process of its own. */
export async function startRecords(order: RecordsOrder) {
  const child = fork(fileURLToPath(new URL('./send-records.ts', import.meta.url)));
  const hasEnded = once(child, 'exit').then(() => {
    throw new Error('the process that sends records has ended');
  });
  // Whoever waits for a report hears of it.
  hasEnded.catch(() => {});
  await Promise.race([once(child, 'message'), hasEnded]);
  child.send(order);
  return {
    /** Returns how the answers since the last report were. */
    async report(): Promise<RecordsReport> {
      const came = once(child, 'message');
      child.send('report');
      const [report] = await Promise.race([came, hasEnded]);
      return report as RecordsReport;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
